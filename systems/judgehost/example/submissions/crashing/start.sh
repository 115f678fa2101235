echo "out of luck" >&2
exit 3
