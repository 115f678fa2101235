use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut held = Vec::new();
    let answer: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            while word == "spin" {
                unsafe { std::ptr::read_volatile(&word) };
            }
            if word == "sleep" {
                std::thread::sleep(std::time::Duration::from_secs(600));
            }
            while word == "eat" {
                held.push(vec![1u8; 1 << 20]);
                unsafe { std::ptr::read_volatile(held[0].as_ptr()) };
            }
            while word == "flood" {
                println!("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
            }
            if word == "crash" {
                std::process::exit(3);
            }
            (2 * word.parse::<i64>().unwrap()).to_string()
        })
        .collect();
    println!("{}", answer.join(" "));
}
