//! XML as a bounded tree with the path and the line of every element.
//!
//! It is built from quick-xml's events. Only predefined, numeric and HTML character references are expanded. Document
//! type declarations are skipped, so their entities are unknown. Elements are identified by their local names, because
//! sources use different prefixes for the same names.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::escape::resolve_html5_entity;
use quick_xml::events::Event;

use crate::loss::{Place, ReadError};
use crate::text::Lines;

/// The maximum length of a name in a path, in characters.
const MOST_NAME: usize = 60;

/// The number of steps at the start and at the end of a path that are kept.
const MOST_STEPS: usize = 16;

/// Limits for XML.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct XmlLimits {
    /// The maximum length of a document, in bytes.
    pub bytes: usize,
    /// The maximum number of elements and texts.
    pub nodes: usize,
    /// The maximum nesting depth of elements.
    pub depth: usize,
    /// The maximum number of attributes of an element.
    pub attributes: usize,
    /// The maximum length of an attribute value, in bytes.
    pub attribute_bytes: usize,
}

impl Default for XmlLimits {
    /// Returns limits of 64 MiB, 4 million nodes, 256 levels, and 200 attributes per element of 4 MiB each.
    fn default() -> Self {
        Self { bytes: 64 << 20, nodes: 4_000_000, depth: 256, attributes: 200, attribute_bytes: 4 << 20 }
    }
}

/// The index for "no node".
const NONE: u32 = u32::MAX;

/// A name with the offset of its local part, which is stored because local names are compared very often.
#[derive(Debug, Clone, Copy)]
struct Name<'a> {
    qualified: &'a str,
    local: u32,
}

impl<'a> Name<'a> {
    fn new(qualified: &'a str) -> Self {
        Self { qualified, local: (qualified.len() - local(qualified).len()) as u32 }
    }

    fn local(self) -> &'a str {
        &self.qualified[self.local as usize..]
    }
}

#[derive(Debug)]
enum Content<'a> {
    Element { name: Name<'a>, attributes: (u32, u32), first: u32 },
    Text(Cow<'a, str>),
}

#[derive(Debug)]
struct Node<'a> {
    content: Content<'a>,
    parent: u32,
    next: u32,
    offset: u32,
    /// The number among the siblings of the same name, from 1; 0 if there is no other.
    number: u32,
}

/// A document.
#[derive(Debug)]
pub struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<(Name<'a>, Cow<'a, str>)>,
    lines: Lines,
    /// The place of the root if this text is a part of a larger document; it offsets lines and prefixes paths.
    base: Place,
}

/// An element of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Element<'t> {
    tree: &'t Tree<'t>,
    index: u32,
}

/// A child of an element.
#[derive(Debug, Clone, Copy)]
pub enum Child<'t> {
    /// An element.
    Element(Element<'t>),
    /// Text that is not empty.
    Text(&'t str),
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn refuse(
    lines: &Lines,
    base: &Place,
    at: usize,
    rule: &'static str,
    message: String,
    help: &str,
) -> ReadError {
    let line = lines.at(at) + base.line.saturating_sub(1);
    ReadError::new(Place::new(base.path.clone(), line), rule, message, help)
}

fn reference(name: &str) -> Option<Cow<'static, str>> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        let character = char::from_u32(code).filter(|c| *c != '\0')?;
        return Some(character.to_string().into());
    }
    resolve_html5_entity(name).map(Cow::Borrowed)
}

/// Resolves the references in a text; the error is an unknown or unterminated reference.
pub(crate) fn unescape(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.contains('&') {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = after.bytes().take(40).position(|byte| byte == b';');
        let Some(end) = end else { return Err(after.chars().take(10).collect()) };
        let name = &after[..end];
        out.push_str(&reference(name).ok_or_else(|| name.to_owned())?);
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    Ok(Cow::Owned(out))
}

/// Normalises line ends to line feeds, as XML requires.
fn line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

impl<'a> Tree<'a> {
    /// Reads a document.
    ///
    /// # Errors
    /// Text that is not well-formed, unknown entities, and documents beyond the limits.
    pub fn parse(text: &'a str, limits: XmlLimits) -> Result<Self, ReadError> {
        Self::parse_at(text, Place::default(), limits)
    }

    /// Reads an element of a larger document. `base` is its place there: it prefixes paths and offsets lines.
    ///
    /// # Errors
    /// The same as for [`Tree::parse`].
    pub fn parse_at(text: &'a str, base: Place, limits: XmlLimits) -> Result<Self, ReadError> {
        let lines = Lines::new(text);
        if text.len() > limits.bytes {
            let message = format!("there are more than {} bytes of XML", limits.bytes);
            return Err(refuse(&lines, &base, 0, "too-large", message, "split the document"));
        }
        let mut builder = Builder {
            tree: Self { nodes: Vec::new(), attributes: Vec::new(), lines, base },
            open: Vec::new(),
            last: Vec::new(),
            counts: Vec::new(),
            limits,
        };
        let mut reader = Reader::from_str(text);
        reader.config_mut().check_end_names = true;
        reader.config_mut().allow_dangling_amp = false;
        loop {
            let at = reader.buffer_position() as usize;
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = (reader.error_position() as usize).min(text.len());
                    return Err(builder.refuse(at, "not-xml", error.to_string(), "correct the XML"));
                }
            };
            let end = reader.buffer_position() as usize;
            match event {
                Event::Start(_) => builder.start(&text[at..end], at, false)?,
                Event::Empty(_) => builder.start(&text[at..end], at, true)?,
                Event::End(_) => {
                    builder.open.pop();
                    builder.last.pop();
                    builder.counts.pop();
                }
                Event::Text(_) => builder.text(line_ends(&text[at..end]), at)?,
                Event::CData(_) => {
                    let inner =
                        text[at..end].strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
                    builder.text(line_ends(inner.unwrap_or_default()), at)?;
                }
                Event::GeneralRef(name) => match reference(&name) {
                    Some(text) => builder.text(text, at)?,
                    None => {
                        let message = "this entity is not known".to_owned();
                        return Err(builder.refuse(
                            at,
                            "unknown-entity",
                            message,
                            "write the character itself",
                        ));
                    }
                },
                Event::Eof => break,
                // Document type declarations are never read, so their entities are unknown.
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        if builder.tree.nodes.is_empty() || !builder.open.is_empty() {
            let message = "the document has no root element, or ends before it".to_owned();
            return Err(builder.refuse(text.len(), "not-xml", message, "correct the XML"));
        }
        Ok(builder.tree)
    }

    /// Returns the outermost element.
    pub fn root(&self) -> Element<'_> {
        Element { tree: self, index: 0 }
    }
}

struct Builder<'a> {
    tree: Tree<'a>,
    open: Vec<u32>,
    /// The last child of each open element.
    last: Vec<u32>,
    /// For each open element, the number of child elements per name, and the first of them.
    counts: Vec<BTreeMap<&'a str, (u32, u32)>>,
    limits: XmlLimits,
}

impl<'a> Builder<'a> {
    fn refuse(&self, at: usize, rule: &'static str, message: String, help: &str) -> ReadError {
        refuse(&self.tree.lines, &self.tree.base, at, rule, message, help)
    }

    fn push(&mut self, content: Content<'a>, offset: usize) -> Result<u32, ReadError> {
        if self.tree.nodes.len() >= self.limits.nodes {
            let message = format!("there are more than {} elements and texts", self.limits.nodes);
            return Err(self.refuse(offset, "too-many-nodes", message, "split the document"));
        }
        let index = self.tree.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NONE);
        let number = match (&content, self.counts.last_mut()) {
            (Content::Element { name, .. }, Some(counts)) => {
                let (count, first) = counts.entry(name.local()).or_insert((0, index));
                *count += 1;
                if *count == 2 {
                    self.tree.nodes[*first as usize].number = 1;
                }
                if *count == 1 { 0 } else { *count }
            }
            _ => 0,
        };
        self.tree.nodes.push(Node { content, parent, next: NONE, offset: offset as u32, number });
        if let Some(last) = self.last.last_mut() {
            if *last == NONE {
                if let Content::Element { first, .. } = &mut self.tree.nodes[parent as usize].content {
                    *first = index;
                }
            } else {
                self.tree.nodes[*last as usize].next = index;
            }
            *last = index;
        } else if index > 0 {
            let message = "there is content after the root element".to_owned();
            return Err(self.refuse(offset, "not-xml", message, "keep one root element"));
        }
        Ok(index)
    }

    /// Reads a start tag with its angle brackets.
    fn start(&mut self, tag: &'a str, at: usize, empty: bool) -> Result<(), ReadError> {
        let inner = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
        let name_end = inner.find(|c: char| c.is_ascii_whitespace()).unwrap_or(inner.len());
        let name = Name::new(&inner[..name_end]);
        let first = self.tree.attributes.len();
        let attributes = quick_xml::events::attributes::Attributes::new(inner, name_end);
        for attribute in attributes {
            let attribute = attribute.map_err(|error| {
                self.refuse(at, "not-xml", format!("an attribute is malformed: {error}"), "correct the XML")
            })?;
            if self.tree.attributes.len() - first >= self.limits.attributes {
                let message = format!("an element has more than {} attributes", self.limits.attributes);
                return Err(self.refuse(at, "too-many-attributes", message, "take some out"));
            }
            if attribute.value.len() > self.limits.attribute_bytes {
                let message = format!("an attribute has more than {} bytes", self.limits.attribute_bytes);
                return Err(self.refuse(at, "attribute-too-long", message, "shorten it"));
            }
            // Recover the slices of `inner` by position, so names and values borrow from the text.
            let name_at = attribute.key.0.as_ptr() as usize - inner.as_ptr() as usize;
            let key = &inner[name_at..name_at + attribute.key.0.len()];
            let value = match attribute.value {
                Cow::Borrowed(value) => {
                    let value_at = value.as_ptr() as usize - inner.as_ptr() as usize;
                    unescape(&inner[value_at..value_at + value.len()])
                }
                Cow::Owned(value) => unescape(&value).map(|value| Cow::Owned(value.into_owned())),
            };
            let value = value.map_err(|_| {
                let message = "an entity in an attribute is not known".to_owned();
                self.refuse(at, "unknown-entity", message, "write the character itself")
            })?;
            self.tree.attributes.push((Name::new(key), value));
        }
        let attributes = (first as u32, self.tree.attributes.len() as u32);
        let index = self.push(Content::Element { name, attributes, first: NONE }, at)?;
        if !empty {
            if self.open.len() >= self.limits.depth {
                let message = format!("elements nest deeper than {} levels", self.limits.depth);
                return Err(self.refuse(at, "too-deep", message, "reduce the nesting"));
            }
            self.open.push(index);
            self.last.push(NONE);
            self.counts.push(BTreeMap::new());
        } else if self.open.is_empty() {
            // An empty root element: `push` rejects any further content.
        }
        Ok(())
    }

    fn text(&mut self, text: Cow<'a, str>, at: usize) -> Result<(), ReadError> {
        if text.is_empty() {
            return Ok(());
        }
        let Some(last) = self.last.last().copied() else {
            if text.trim().is_empty() {
                return Ok(());
            }
            let message = "there is text outside the root element".to_owned();
            return Err(self.refuse(at, "not-xml", message, "keep one root element"));
        };
        if last != NONE
            && let Content::Text(before) = &mut self.tree.nodes[last as usize].content
        {
            before.to_mut().push_str(&text);
            return Ok(());
        }
        self.push(Content::Text(text), at).map(|_| ())
    }
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl std::fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}> at {}", self.qualified_name(), self.place())
    }
}

impl<'t> Element<'t> {
    fn node(self) -> &'t Node<'t> {
        &self.tree.nodes[self.index as usize]
    }

    fn full_name(self) -> Name<'t> {
        match &self.node().content {
            Content::Element { name, .. } => *name,
            Content::Text(_) => Name { qualified: "", local: 0 },
        }
    }

    /// Returns the name with its prefix.
    pub fn qualified_name(self) -> &'t str {
        self.full_name().qualified
    }

    /// Returns the name without a prefix.
    pub fn name(self) -> &'t str {
        self.full_name().local()
    }

    fn named_attributes(self) -> &'t [(Name<'t>, Cow<'t, str>)] {
        let (first, end) = match &self.node().content {
            Content::Element { attributes, .. } => *attributes,
            Content::Text(_) => (0, 0),
        };
        &self.tree.attributes[first as usize..end as usize]
    }

    /// Returns all attributes, with their prefixes, in the order of the document.
    pub fn attributes(self) -> impl Iterator<Item = (&'t str, &'t str)> {
        self.named_attributes().iter().map(|(name, value)| (name.qualified, value.as_ref()))
    }

    /// Returns the value of the attribute with this local name.
    pub fn attribute(self, name: &str) -> Option<&'t str> {
        self.named_attributes()
            .iter()
            .find(|(other, _)| other.local() == name)
            .map(|(_, value)| value.as_ref())
    }

    /// Returns the child elements and texts, in order.
    pub fn children(self) -> impl Iterator<Item = Child<'t>> {
        let mut at = match &self.node().content {
            Content::Element { first, .. } => *first,
            Content::Text(_) => NONE,
        };
        let tree = self.tree;
        std::iter::from_fn(move || {
            let node = tree.nodes.get(at as usize)?;
            let child = match &node.content {
                Content::Element { .. } => Child::Element(Element { tree, index: at }),
                Content::Text(text) => Child::Text(text),
            };
            at = node.next;
            Some(child)
        })
    }

    /// Returns the child elements, in order.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        self.children().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// Returns the child elements with this name.
    pub fn named<'n>(self, name: &'n str) -> impl Iterator<Item = Self> + use<'t, 'n> {
        self.elements().filter(move |element| element.name() == name)
    }

    /// Returns the first child element with this name.
    pub fn child(self, name: &str) -> Option<Self> {
        self.elements().find(|element| element.name() == name)
    }

    /// Returns this element and all elements inside it, in document order.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        // Nodes are stored in document order, so a subtree is a contiguous range.
        let end = self.end();
        let tree = self.tree;
        (self.index..end)
            .map(move |index| Self { tree, index })
            .filter(|element| matches!(element.node().content, Content::Element { .. }))
    }

    /// Searches this element and all elements inside it, in document order, for those that satisfy `fits`. Skips elements
    /// inside one that was found.
    pub fn outermost(self, fits: impl Fn(Self) -> bool) -> impl Iterator<Item = Self> {
        let mut last: Option<Self> = None;
        self.descendants().filter(move |one| {
            let taken = fits(*one) && last.is_none_or(|last| !last.contains(*one));
            if taken {
                last = Some(*one);
            }
            taken
        })
    }

    /// Returns the index after the last node of this subtree.
    fn end(self) -> u32 {
        let mut at = self;
        loop {
            if at.node().next != NONE {
                return at.node().next;
            }
            match at.parent() {
                Some(parent) => at = parent,
                None => return self.tree.nodes.len() as u32,
            }
        }
    }

    /// Returns whether an element is this one or inside it.
    pub fn contains(self, other: Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && (self.index..self.end()).contains(&other.index)
    }

    /// Returns the first descendant with this name, at any depth.
    pub fn find(self, name: &str) -> Option<Self> {
        self.descendants().skip(1).find(|element| element.name() == name)
    }

    /// Returns the parent element.
    pub fn parent(self) -> Option<Self> {
        let parent = self.node().parent;
        (parent != NONE).then_some(Self { tree: self.tree, index: parent })
    }

    /// Returns all text inside, concatenated.
    pub fn text(self) -> Cow<'t, str> {
        let mut texts =
            (self.index..self.end()).filter_map(|index| match &self.tree.nodes[index as usize].content {
                Content::Text(text) => Some(text.as_ref()),
                Content::Element { .. } => None,
            });
        let Some(first) = texts.next() else { return Cow::Borrowed("") };
        let Some(second) = texts.next() else { return Cow::Borrowed(first) };
        let mut all = format!("{first}{second}");
        texts.for_each(|text| all.push_str(text));
        Cow::Owned(all)
    }

    /// Returns all text inside, without whitespace at its ends.
    pub fn trimmed(self) -> Cow<'t, str> {
        match self.text() {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    /// Returns the line of the start tag.
    pub fn line(self) -> u32 {
        self.tree.lines.at(self.node().offset as usize) + self.tree.base.line.saturating_sub(1)
    }

    /// Returns the path from the root; names that repeat among siblings are numbered from 1. Long names and the middle of
    /// long paths are cut, because a finding can have one for each element.
    pub fn path(self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(element) = at {
            let name = element.name();
            let name = name
                .char_indices()
                .nth(MOST_NAME)
                .map_or(Cow::Borrowed(name), |(end, _)| Cow::Owned(format!("{}…", &name[..end])));
            let number = element.node().number;
            steps.push(if number > 0 { format!("{name}[{number}]") } else { name.into_owned() });
            at = element.parent();
        }
        steps.reverse();
        if steps.len() > 2 * MOST_STEPS {
            drop(steps.splice(MOST_STEPS..steps.len() - MOST_STEPS, ["…".to_owned()]));
        }
        if self.tree.base.path.is_empty() {
            return format!("/{}", steps.join("/"));
        }
        // The root of a part is the last step of the base path.
        let mut path = self.tree.base.path.clone();
        for step in &steps[1..] {
            path.push('/');
            path.push_str(step);
        }
        path
    }

    /// Returns the path and the line.
    pub fn place(self) -> Place {
        Place::new(self.path(), self.line())
    }
}

#[cfg(test)]
mod tests {
    use super::{Tree, XmlLimits};

    #[test]
    fn only_repeated_names_have_numbers() {
        let tree = Tree::parse("<r><a/><b><c/></b>text<a><c/><x:c/></a></r>", XmlLimits::default()).unwrap();
        let paths: Vec<String> = tree.root().descendants().map(super::Element::path).collect();
        let expected = ["/r", "/r/a[1]", "/r/b", "/r/b/c", "/r/a[2]", "/r/a[2]/c[1]", "/r/a[2]/c[2]"];
        assert_eq!(paths, expected);
    }

    #[test]
    fn places_of_many_elements_are_found_at_once() {
        // Comparing each element with its siblings would take too long.
        let names: String = (0..100_000).map(|n| ["<e", &n.to_string(), "/>"].concat()).collect();
        let text = ["<r>", &names, "</r>"].concat();
        let tree = Tree::parse(&text, XmlLimits::default()).unwrap();
        let named = tree.root().elements().filter(|one| one.path() == format!("/r/{}", one.name()));
        assert_eq!(named.count(), 100_000);
    }
}
