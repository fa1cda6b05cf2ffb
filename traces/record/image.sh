#!/bin/sh
# SPDX-License-Identifier: MIT
#
# image.sh DIR [PACKAGE...]: makes what the guests boot from, in DIR:
#
#   vmlinuz, initrd.gz, base.img   Debian 12's kernel and a small root file system with the
#                                  LTTng tools and modules built for that kernel
#   VERSIONS                       the packages that it was made from
#
# The guests have these packages too, besides those of an earlier run.
# For Debian 12, as root: debootstrap needs that. What is missing here is installed. Each step
# leaves a stamp, so a run that was stopped goes on where it was; remove DIR to start anew.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 3,13p' "$0" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
dir=$(pwd)
shift

host_packages='qemu-system-x86 seabios debootstrap kmod cpio e2fsprogs gcc make libc6-dev'
guest_packages='lttng-tools,liblttng-ust1,iproute2,kmod,python3-minimal,busybox-static,procps
ethtool,babeltrace2,libxml2,iputils-ping'
export PATH="$PATH:/usr/sbin:/sbin" DEBIAN_FRONTEND=noninteractive

say() {
	printf 'image: %s\n' "$*"
}

# step NAME WORDS: true when NAME is still to be done.
step() {
	[ ! -e "$dir/.done-$1" ] || return 1
	say "$2"
}

done_with() {
	: >"$dir/.done-$1"
}

install_missing() {
	missing=
	for package in "$@"; do
		status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || :)
		[ "$status" = installed ] || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	say "installing$missing"
	# shellcheck disable=SC2086
	apt-get -q -y --no-install-recommends install $missing >>install.log 2>&1
}

# The newest kernel of this release, as apt knows it.
kernel_version() {
	apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-\(6.*\)$/\1/p' | head -n 1
}

# The mirror that apt uses for the release.
mirror() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
		sed -n 's/ bookworm$//p' | head -n 1
}

# Since 6.1.100 or so the tracepoint hrtimer_start has a third argument, which the modules of
# LTTng 2.13.9 do not know; the compiler tells whether this kernel has it.
patch_hrtimer() {
	grep -q 'was_armed' "/usr/src/linux-headers-${version%-amd64}-common/include/trace/events/timer.h" || return 0
	sed -i '/^LTTNG_TRACEPOINT_EVENT_MAP(hrtimer_start,\|^LTTNG_TRACEPOINT_EVENT(hrtimer_start,/,/^)/{
		s/TP_PROTO(struct hrtimer \*hrtimer, enum hrtimer_mode mode)/TP_PROTO(struct hrtimer *hrtimer, enum hrtimer_mode mode, bool was_armed)/
		s/TP_ARGS(hrtimer, mode)/TP_ARGS(hrtimer, mode, was_armed)/
	}' lttng-modules/include/instrumentation/events/timer.h
}

# Copies kernel modules with what they depend on; the modules are named by $@.
with_dependencies() {
	for module in "$@"; do
		modprobe -d "$dir/kernel" -S "$version" --show-depends "$module" 2>/dev/null |
			awk '$1 == "insmod" { print $2 }'
	done | awk '!seen[$0]++'
}

[ "$(id -u)" -eq 0 ] || { say "debootstrap needs root" >&2; exit 1; }
# shellcheck disable=SC2086
install_missing $host_packages
version=$(kernel_version)
[ -n "$version" ] || { say "apt knows no linux-image-amd64: run apt-get update" >&2; exit 1; }
install_missing "linux-headers-$version"

if step kernel "kernel $version and the sources of lttng-modules"; then
	rm -rf debs kernel modules-package lttng-modules
	mkdir debs
	chmod 777 debs
	(cd debs && apt-get -q download "linux-image-$version" lttng-modules-dkms >>../install.log 2>&1)
	dpkg -x debs/linux-image-*.deb kernel
	dpkg -x debs/lttng-modules-dkms_*.deb modules-package
	cp -r modules-package/usr/src/lttng-modules-* lttng-modules
	cp "kernel/boot/vmlinuz-$version" vmlinuz
	depmod -b kernel "$version"
	patch_hrtimer
	done_with kernel
fi

if step modules "building lttng-modules"; then
	# Probes whose kernel headers Debian does not ship fail, and are not needed.
	make -k -j"$(getconf _NPROCESSORS_ONLN)" -C "/usr/src/linux-headers-$version" \
		M="$dir/lttng-modules" modules CONFIG_LTTNG=m >modules.log 2>&1 || :
	for module in lttng-tracer lttng-probe-sched lttng-probe-net lttng-probe-timer; do
		[ -n "$(find lttng-modules -name "$module.ko")" ] || {
			tail -n 20 modules.log >&2
			say "$module.ko was not built; see modules.log" >&2
			exit 1
		}
	done
	done_with modules
fi

if step root "root file system"; then
	rm -rf root
	debootstrap --variant=minbase --include="$(echo "$guest_packages" | tr '\n' ',')" \
		bookworm root "$(mirror)" >debootstrap.log 2>&1
	done_with root
fi

# Into the root file system, with what they need; none of them is to start a service there.
add_packages() {
	missing=
	for package in "$@"; do
		grep -q "^$package " VERSIONS.guest 2>/dev/null || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	say "adding$missing"
	printf '#!/bin/sh\nexit 101\n' >root/usr/sbin/policy-rc.d
	chmod 755 root/usr/sbin/policy-rc.d
	cp /etc/resolv.conf root/etc/
	# shellcheck disable=SC2086
	chroot root sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install "$@"' \
		sh $missing >packages.log 2>&1 || {
		tail -n 5 packages.log >&2
		exit 1
	}
	rm root/usr/sbin/policy-rc.d
}

add_packages "$@"
say "base.img and initrd.gz"
to=root/lib/modules/$version
rm -rf "$to"
mkdir -p "$to/extra"
cp "kernel/lib/modules/$version"/modules.builtin "kernel/lib/modules/$version"/modules.order \
	"kernel/lib/modules/$version"/modules.builtin.modinfo "$to/"
with_dependencies virtio_pci virtio_blk virtio_net ext4 virtio_rng sch_netem sch_fq_codel \
	crc32c_generic crc32c_intel af_packet nfsd nfsv4 | while read -r file; do
	name=${file#"$dir/kernel/lib/modules/$version/"}
	mkdir -p "$to/$(dirname "$name")"
	cp "$file" "$to/$name"
done
find lttng-modules -name '*.ko' -exec cp {} "$to/extra/" \;
strip --strip-debug "$to"/extra/*.ko
depmod -b "$dir/root" "$version"
rm -rf root/var/cache/apt/* root/var/lib/apt/lists/* root/usr/share/doc root/usr/share/man \
	root/usr/share/info
# shellcheck disable=SC2016
chroot root dpkg-query -W -f '${Package} ${Version}\n' >VERSIONS.guest
{
	echo "kernel $version $(dpkg-deb -f debs/linux-image-*.deb Version)"
	echo "lttng-modules $(dpkg-deb -f debs/lttng-modules-dkms_*.deb Version)"
	for package in lttng-tools liblttng-ust1 python3-minimal libc6 "$@"; do
		grep "^$package " VERSIONS.guest
	done
	qemu-system-x86_64 --version | head -n 1
} >VERSIONS
cp "$here/guest/init" root/init
chmod 755 root/init
for name in proc sys dev run tmp w data; do
	mkdir -p "root/$name"
done
rm -f base.img
truncate -s "$(($(du -sm root | cut -f1) * 5 / 4 + 300))M" base.img
mke2fs -q -t ext4 -O ^has_journal -L root -d root base.img

# Just enough to mount the first disk.
rm -rf early
mkdir -p early/bin early/proc early/sys early/dev early/mnt early/m
cp root/bin/busybox early/bin/
with_dependencies virtio_pci virtio_blk ext4 crc32c_generic | while read -r file; do
	cp "$file" early/m/
	basename "$file" >>early/order
done
cp "$here/guest/early-init" early/init
chmod 755 early/init
(cd early && find . | cpio --quiet -o -H newc | gzip) >initrd.gz
say "done: $(du -sh base.img | cut -f1) of base.img"
