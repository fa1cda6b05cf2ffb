# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# hostb serves a folder by NFS, over a link that is delayed by 40 ms; hosta reads a file of it.
./shared ppm "$ppm"
start_lttng
meet_peers
case $host in
hostb)
	modprobe nfsd
	mount -t nfsd nfsd /proc/fs/nfsd
	mkdir -p /run/rpcbind /var/lib/nfs/sm /data/share
	dd if=/dev/urandom of=/data/share/file bs=64k count=32 2>/dev/null
	rpcbind -w
	echo '/data/share 10.0.0.0/24(ro,no_root_squash,insecure,no_subtree_check)' >/etc/exports
	exportfs -ra
	rpc.nfsd -V 4 4
	rpc.mountd
	echo 3 >/proc/sys/vm/drop_caches
	;;
hosta) modprobe nfsv4 ;;
esac
barrier
if [ "$host" = hosta ]; then
	mkdir -p /mnt/share
	mount -t nfs -o vers=4.2,rsize=65536 10.0.0.2:/data/share /mnt/share
	ls -l /mnt/share
fi
[ "$host" != hostb ] || tc qdisc replace dev eth0 root netem delay 40ms
barrier
together case-nfs "core work" "python3 ./case-client.py file /mnt/share/file" "sleep 6"
