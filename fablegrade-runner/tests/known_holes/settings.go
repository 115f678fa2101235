package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	filepath.Walk("/etc", func(path string, about os.FileInfo, err error) error {
		if err == nil && about.Mode().IsRegular() {
			fmt.Println(path)
		}
		return nil
	})
}
