#!/bin/sh
# CGI script that calls the learner's program: /cgi-bin/total?NAME
printf 'Content-Type: text/plain\r\n\r\n'
exec /bin/sh /app/total.sh "$QUERY_STRING"
