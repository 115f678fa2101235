use std::io::{self, BufRead};

fn main() {
    for line in io::stdin().lock().lines() {
        let numbers: Vec<i64> = line.unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
        println!("{}", (numbers[0] - numbers[1]).abs());
    }
}
