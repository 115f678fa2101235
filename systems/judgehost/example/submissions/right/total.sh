wget -q -O - "$ORDERS" | awk -F, -v who="$1" '$1 == who { sum += $2 } END { print sum + 0 }'
