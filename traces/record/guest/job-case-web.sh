# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# A client on hosta asks nginx on hostb, behind which a Python application asks PostgreSQL on
# hostc. There another session holds a lock on the row for 150 ms, again and again.
./shared ppm "$ppm"
start_lttng
meet_peers

serve_pages() {
	cat >/etc/nginx/sites-enabled/default <<-END
		server {
			listen 80;
			location / { proxy_pass http://127.0.0.1:8000; }
		}
	END
	mkdir -p /var/log/nginx /var/lib/nginx
	nginx
}

serve_rows() {
	local etc=/etc/postgresql/15/main
	mkdir -p /run/postgresql
	chown postgres: /run/postgresql
	echo "host all all 10.0.0.0/24 trust" >>$etc/pg_hba.conf
	echo "listen_addresses = '*'" >>$etc/postgresql.conf
	pg_ctlcluster 15 main start || cat /var/log/postgresql/*
	until su postgres -c "psql -qc ''"; do sleep 0.5; done
	su postgres -c "psql -qc 'create user shop superuser'"
	su postgres -c "createdb shop"
	su postgres -c "psql -q shop -c 'create table stock (id int primary key, n int)' \
		-c 'insert into stock values (1, 100000)'"
}

# Another session, which holds the row for too long; it says which of PostgreSQL's processes it is.
hold_row() {
	{
		echo "select '{\"ev\":\"holder\",\"pid\":' || pg_backend_pid() || '}';"
		for _ in $(seq 1 "$1"); do
			echo "begin; do 'begin perform n from stock where id = 1 for update; end';"
			echo "do 'begin perform pg_sleep(0.15); end'; commit; do 'begin perform pg_sleep(0.05); end';"
		done
	} | su postgres -c "psql -qAt shop"
}

[ "$host" != hostc ] || serve_rows
barrier # the application connects to the database as it starts
if [ "$host" = hostb ]; then
	serve_pages
	python3 ./case-app.py 10.0.0.3 &
	app=$!
	until (echo >/dev/tcp/127.0.0.1/8000) 2>/dev/null; do sleep 0.2; done
fi
barrier
# The first page is slow: programs are read from disk.
[ "$host" != hosta ] || python3 ./case-client.py web 10.0.0.2 1
barrier
if [ "$host" = hostc ]; then
	hold_row 300 >/tmp/holder.jsonl &
	until [ -s /tmp/holder.jsonl ]; do sleep 0.1; done
fi
together case-web "core" "python3 ./case-client.py web 10.0.0.2 12" "" "cat /tmp/holder.jsonl"
[ "$host" != hostb ] || kill "$app"
