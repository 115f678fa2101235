// Reads the JSON arguments from standard input, calls the function by reflection and writes its value to descriptor 3.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"sort"
	"strconv"
)

func fablegradeStop(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(3)
}

func fablegradeCall(entry interface{}) {
	all, err := io.ReadAll(os.Stdin)
	if err != nil {
		fablegradeStop(err.Error())
	}
	end := bytes.IndexByte(all, '\n')
	var given []json.RawMessage
	if err := json.Unmarshal(all[end+1:], &given); err != nil {
		fablegradeStop(err.Error())
	}
	function := reflect.ValueOf(entry)
	kind := function.Type()
	if kind.IsVariadic() {
		fablegradeStop("a function with a variable number of arguments cannot be called from here")
	}
	if kind.NumIn() != len(given) {
		fablegradeStop(fmt.Sprintf("the function takes %d arguments, the case has %d", kind.NumIn(), len(given)))
	}
	arguments := make([]reflect.Value, len(given))
	for i, text := range given {
		into := reflect.New(kind.In(i))
		if err := fablegradeRead(text, into); err != nil {
			fablegradeStop(fmt.Sprintf("argument %d: %v", i+1, err))
		}
		arguments[i] = into.Elem()
	}
	values := function.Call(arguments)
	if n := len(values); n > 0 {
		if err, failed := values[n-1].Interface().(error); failed && err != nil {
			fablegradeStop("the function returned an error: " + err.Error())
		}
		if kind.Out(n-1) == reflect.TypeOf((*error)(nil)).Elem() {
			values = values[:n-1]
		}
	}
	var out bytes.Buffer
	out.Write(all[:end])
	out.WriteByte(' ')
	switch len(values) {
	case 0:
		out.WriteString("null")
	case 1:
		fablegradeWrite(&out, values[0])
	default:
		out.WriteByte('[')
		for i, value := range values {
			if i > 0 {
				out.WriteByte(',')
			}
			fablegradeWrite(&out, value)
		}
		out.WriteByte(']')
	}
	out.WriteByte('\n')
	if _, err := os.NewFile(3, "result").Write(out.Bytes()); err != nil {
		fablegradeStop(err.Error())
	}
	os.Exit(0)
}

// Reports whether a type is a slice of slices of bytes, at any depth.
func fablegradeNestsBytes(kind reflect.Type) bool {
	depth := 0
	for ; kind.Kind() == reflect.Slice; kind = kind.Elem() {
		depth++
	}
	return depth > 1 && kind.Kind() == reflect.Uint8
}

// encoding/json reads bytes from a string as Base64; here they are the string's. It reads a rune or a byte only from a
// number; here, a string of one letter is accepted too.
func fablegradeRead(text json.RawMessage, into reflect.Value) error {
	kind := into.Elem().Type()
	if fablegradeNestsBytes(kind) {
		var parts []json.RawMessage
		if err := json.Unmarshal(text, &parts); err != nil {
			return err
		}
		list := reflect.MakeSlice(kind, len(parts), len(parts))
		for i, part := range parts {
			if err := fablegradeRead(part, list.Index(i).Addr()); err != nil {
				return err
			}
		}
		into.Elem().Set(list)
		return nil
	}
	if kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Uint8 {
		var word string
		if json.Unmarshal(text, &word) == nil {
			into.Elem().SetBytes([]byte(word))
			return nil
		}
	}
	if kind.Kind() == reflect.Int32 || kind.Kind() == reflect.Uint8 {
		var word string
		if json.Unmarshal(text, &word) == nil {
			if letters := []rune(word); len(letters) == 1 && (kind.Kind() == reflect.Int32 || letters[0] < 256) {
				into.Elem().Set(reflect.ValueOf(letters[0]).Convert(kind))
				return nil
			}
		}
	}
	return json.Unmarshal(text, into.Interface())
}

func fablegradeQuote(out *bytes.Buffer, text string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		fablegradeStop(err.Error())
	}
	out.Truncate(out.Len() - 1)
}

func fablegradeWrite(out *bytes.Buffer, value reflect.Value) {
	switch value.Kind() {
	case reflect.Bool:
		out.WriteString(strconv.FormatBool(value.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.WriteString(strconv.FormatInt(value.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		out.WriteString(strconv.FormatUint(value.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		number := value.Float()
		if math.IsNaN(number) || math.IsInf(number, 0) {
			fablegradeStop(fmt.Sprintf("the function returned %v, which has no JSON form", number))
		}
		bits := 64
		if value.Kind() == reflect.Float32 {
			bits = 32
		}
		text := strconv.FormatFloat(number, 'g', -1, bits)
		if !bytes.ContainsAny([]byte(text), ".e") {
			text += ".0"
		}
		out.WriteString(text)
	case reflect.String:
		fablegradeQuote(out, value.String())
	case reflect.Slice, reflect.Array:
		out.WriteByte('[')
		for i := 0; i < value.Len(); i++ {
			if i > 0 {
				out.WriteByte(',')
			}
			fablegradeWrite(out, value.Index(i))
		}
		out.WriteByte(']')
	case reflect.Map:
		keys := value.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(keys[i]) < fmt.Sprint(keys[j]) })
		out.WriteByte('{')
		for i, key := range keys {
			if i > 0 {
				out.WriteByte(',')
			}
			fablegradeQuote(out, fmt.Sprint(key))
			out.WriteByte(':')
			fablegradeWrite(out, value.MapIndex(key))
		}
		out.WriteByte('}')
	case reflect.Ptr, reflect.Interface:
		if value.IsNil() {
			out.WriteString("null")
		} else {
			fablegradeWrite(out, value.Elem())
		}
	case reflect.Invalid:
		out.WriteString("null")
	default:
		text, err := json.Marshal(value.Interface())
		if err != nil {
			fablegradeStop(err.Error())
		}
		out.Write(text)
	}
}
