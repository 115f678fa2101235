# Counts the orders instead of adding them up.
wget -q -O - "$ORDERS" | awk -F, -v who="$1" '$1 == who { sum += 1 } END { print sum + 0 }'
