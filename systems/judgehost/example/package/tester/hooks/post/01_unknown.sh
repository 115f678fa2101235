#!/bin/sh
score=0
[ "$(timeout 4 wget -q -O - "$SERVICE?nobody" 2>/dev/null)" = 0 ] && score=30
printf '{"rubric_id":"unknown","score":%s}' "$score" > /out/rubric_unknown.json
