fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let input = std::fs::read_to_string(&arguments[1]).expect("the input");
    let output = String::from_utf8_lossy(&std::fs::read(&arguments[2]).expect("the output")).into_owned();
    let words: Vec<&str> = input.lines().skip(1).collect();
    let mut found = vec![None; words.len()];
    for line in output.lines() {
        let parts = line.strip_prefix("Case #").and_then(|rest| rest.split_once(": "));
        if let Some((Ok(number), answer)) = parts.map(|(number, answer)| (number.parse::<usize>(), answer)) {
            if answer != "yes" && answer != "no" {
                continue;
            }
            if let Some(place) = number.checked_sub(1).and_then(|at| found.get_mut(at)) {
                place.get_or_insert(answer == "yes");
            }
        }
    }
    let backwards = |word: &str| word.chars().rev().collect::<String>() == word;
    let correct: Vec<bool> = words.iter().zip(&found).map(|(word, found)| *found == Some(backwards(word))).collect();
    let score = correct.iter().filter(|correct| **correct).count() as f64 / words.len() as f64;
    let join = |parts: Vec<String>| parts.join(",");
    let statuses =
        found.iter().map(|found| format!(r#"{{"status":"{}"}}"#, if found.is_some() { "parsed" } else { "missing" }));
    let feedback = correct.iter().map(|correct| format!(r#"{{"correct":{correct}}}"#));
    println!(
        r#"{{"score":{score},"validation":{{"cases":[{}],"alerts":[]}},"feedback":{{"cases":[{}],"alerts":[]}}}}"#,
        join(statuses.collect()),
        join(feedback.collect())
    );
}
