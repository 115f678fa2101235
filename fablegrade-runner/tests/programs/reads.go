package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

var held [][]byte

func main() {
	var word string
	for first := true; ; first = false {
		if _, err := fmt.Scan(&word); err != nil {
			break
		}
		for word == "spin" {
		}
		if word == "sleep" {
			time.Sleep(10 * time.Minute)
		}
		for word == "eat" {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = 1
			}
			held = append(held, block)
		}
		for word == "flood" {
			fmt.Println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
		}
		if word == "crash" {
			os.Exit(3)
		}
		number, _ := strconv.Atoi(word)
		if !first {
			fmt.Print(" ")
		}
		fmt.Print(2 * number)
	}
	fmt.Println()
}
