use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("text");
    let mut lines = text.lines();
    let count: usize = lines.next().and_then(|line| line.parse().ok()).expect("a count");
    let words: Vec<&str> = lines.collect();
    assert!(words.len() == count && words.iter().all(|word| word.len() == 10 && word.is_ascii()));
}
