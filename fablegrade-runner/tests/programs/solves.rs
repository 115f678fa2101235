pub fn solve(how: &str) -> String {
    while how == "spin" {
        unsafe { std::ptr::read_volatile(&how) };
    }
    if how == "sleep" {
        std::thread::sleep(std::time::Duration::from_secs(600));
    }
    let mut held = Vec::new();
    while how == "eat" {
        held.push(vec![1u8; 1 << 20]);
        unsafe { std::ptr::read_volatile(held[0].as_ptr()) };
    }
    while how == "flood" {
        println!("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    }
    if how == "crash" {
        panic!("as asked");
    }
    format!("{}!", how)
}
