package main

import "fmt"

func main() {
	var a, b int64
	for {
		if n, _ := fmt.Scan(&a, &b); n < 2 {
			return
		}
		if a < b {
			a, b = b, a
		}
		fmt.Println(a - b)
	}
}
