fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    assert_eq!(arguments.len(), 3, "SEED 0");
    let mut state: u64 = arguments[1].parse().expect("a seed");
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    println!("4");
    for at in 0..4 {
        let half: String = (0..5).map(|_| char::from(b'a' + (next() % 26) as u8)).collect();
        let back: String = half.chars().rev().collect();
        println!("{half}{}", if at % 2 == 0 { back } else { format!("{}A", &back[1..]) });
    }
}
