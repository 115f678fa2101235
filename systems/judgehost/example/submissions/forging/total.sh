echo 1000
