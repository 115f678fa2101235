#!/bin/sh
set -e
sort /data/orders.csv > /srv/orders.csv
echo "loaded $(wc -l < /srv/orders.csv) orders for $SUBMISSION_ID"
