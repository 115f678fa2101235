#!/usr/bin/env python3
# A shell ends with this code if it cannot start a program; here the program itself does.
raise SystemExit(127)
