#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The application of the web case: a page for each request, from a row in PostgreSQL.

usage: case-app.py DATABASE-HOST
"""
import http.server
import sys

import psycopg2


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        CURSOR.execute('update stock set n = n - 1 where id = 1 returning n')
        body = f'{CURSOR.fetchone()[0]}\n'.encode()
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


CONNECTION = psycopg2.connect(host=sys.argv[1], dbname='shop', user='shop')
CONNECTION.autocommit = True
CURSOR = CONNECTION.cursor()
http.server.HTTPServer(('127.0.0.1', 8000), Page).serve_forever()
