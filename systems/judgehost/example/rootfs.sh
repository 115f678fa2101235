#!/bin/sh
# Packs a root file system with nothing but a static busybox: rootfs.sh FILE...
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/root/bin" "$folder/root/tmp" "$folder/root/etc"
chmod 1777 "$folder/root/tmp"
cp /bin/busybox "$folder/root/bin/busybox"
for name in $(/bin/busybox --list); do
    [ "$name" = busybox ] || ln -s busybox "$folder/root/bin/$name"
done
echo 'root:x:0:0:root:/:/bin/sh' > "$folder/root/etc/passwd"
tar -C "$folder/root" --owner=0 --group=0 --sort=name --mtime=@0 -cf "$folder/rootfs.tar" .
for file in "$@"; do cp "$folder/rootfs.tar" "$file"; done
