#!/bin/sh
passed=0
total=0
while IFS=, read -r customer expected; do
    total=$((total + 1))
    actual=$(timeout 4 wget -q -O - "$SERVICE?$customer" 2>/dev/null)
    if [ "$actual" = "$expected" ]; then passed=$((passed + 1)); else echo "case $total failed" >&2; fi
done < /data/cases.csv
echo "$passed of $total"
printf '{"rubric_id":"correctness","score":%s,"max_score":70,"details":{"passed":%s,"total":%s}}' \
    "$(awk "BEGIN { print 70 * $passed / $total }")" "$passed" "$total" > /out/rubric_correctness.json
