#!/bin/sh
state=down
wget -q -O /dev/null -T 5 http://submission:8080/health && state=up
echo "$(date +%s),$state" >> /out/alive.csv
