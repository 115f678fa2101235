#!/bin/sh
# The web server's door to the learner's program: /cgi-bin/total?NAME
printf 'Content-Type: text/plain\r\n\r\n'
exec /bin/sh /app/total.sh "$QUERY_STRING"
