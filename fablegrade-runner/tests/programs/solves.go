package main

import (
	"fmt"
	"time"
)

var held [][]byte

func solve(how string) (string, error) {
	for how == "spin" {
	}
	if how == "sleep" {
		time.Sleep(10 * time.Minute)
	}
	for how == "eat" {
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 1
		}
		held = append(held, block)
	}
	for how == "flood" {
		fmt.Println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
	}
	if how == "crash" {
		panic("as asked")
	}
	return how + "!", nil
}
