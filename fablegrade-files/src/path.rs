//! Checks of paths, with the reason why a path is refused.

/// The reason why a path is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathProblem {
    /// The path is empty.
    Empty,
    /// The path starts at the root, or with a drive letter.
    Absolute,
    /// The path does not start at the root.
    Relative,
    /// The path has a component `..`.
    Escape,
    /// The path has a backslash, a control character or an empty component.
    Odd,
    /// The path is longer than 1,024 bytes.
    Long,
}

impl PathProblem {
    /// Returns the defect, as the end of a sentence that starts with the path.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::Absolute => "is absolute",
            Self::Relative => "is not absolute",
            Self::Escape => "leaves its folder through `..`",
            Self::Odd => "has a backslash, a control character or an empty step",
            Self::Long => "has more than 1024 bytes",
        }
    }
}

/// The maximum length of a path, in bytes.
const MAX_PATH: usize = 1_024;

fn clean_steps(text: &str) -> Result<Vec<&str>, PathProblem> {
    if text.len() > MAX_PATH {
        return Err(PathProblem::Long);
    }
    if text.chars().any(|c| c == '\\' || c.is_control()) {
        return Err(PathProblem::Odd);
    }
    let mut steps = Vec::new();
    for step in text.trim_end_matches('/').split('/') {
        match step {
            "." => {}
            ".." => return Err(PathProblem::Escape),
            "" => return Err(PathProblem::Odd),
            step => steps.push(step),
        }
    }
    Ok(steps)
}

/// Returns a path relative to the root of a tree, without `.` components and without a trailing slash. The
/// root itself, `.`, becomes the empty text.
///
/// # Errors
/// When the path is empty, is absolute, has `..`, a backslash, a control character or an empty component, or
/// has more than 1,024 bytes.
pub fn relative_path(text: &str) -> Result<String, PathProblem> {
    if text.is_empty() {
        return Err(PathProblem::Empty);
    }
    let drive = text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic();
    if text.starts_with('/') || drive {
        return Err(PathProblem::Absolute);
    }
    Ok(clean_steps(text)?.join("/"))
}

/// Returns an absolute path, such as one inside a container, without `.` components and without a trailing
/// slash. The root is `/`.
///
/// # Errors
/// When the path is empty, is relative, has `..`, a backslash, a control character or an empty component, or
/// has more than 1,024 bytes.
pub fn absolute_path(text: &str) -> Result<String, PathProblem> {
    if text.is_empty() {
        return Err(PathProblem::Empty);
    }
    let Some(rest) = text.strip_prefix('/') else { return Err(PathProblem::Relative) };
    if rest.is_empty() {
        return Ok("/".into());
    }
    Ok(format!("/{}", clean_steps(rest)?.join("/")))
}

/// Resolves a reference in the file at `file` to a path relative to the root of the tree. Returns `None` if the
/// reference is absolute, leads outside the tree, has a backslash or NUL, or has more than 1,024 bytes.
///
/// ```
/// use fablegrade_files::path_beside;
///
/// assert_eq!(path_beside("tests/t.xml", "../items/./q.xml").as_deref(), Some("items/q.xml"));
/// assert_eq!(path_beside("tests/t.xml", "../../q.xml"), None);
/// ```
pub fn path_beside(file: &str, reference: &str) -> Option<String> {
    if reference.starts_with('/') || reference.contains(['\\', '\0']) || reference.len() > MAX_PATH {
        return None;
    }
    let mut steps: Vec<&str> = file.split('/').collect();
    steps.pop();
    for step in reference.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}
