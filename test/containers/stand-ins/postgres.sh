# Makes the database the first time, then is the server.
set -e
data=/var/lib/postgresql/data
user=${POSTGRES_USER:-postgres}
export LD_LIBRARY_PATH=/opt/postgres/lib
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
chown postgres /var/lib/postgresql
if ! [ -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres /tmp/password
  # shellcheck disable=SC2086
  as_postgres /opt/postgres/bin/initdb -D "$data" -U "$user" --pwfile=/tmp/password -A scram-sha-256 \
    ${POSTGRES_INITDB_ARGS:---encoding=UTF8 --locale=C}
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | as_postgres /opt/postgres/bin/postgres --single -D "$data" postgres
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups \
  /opt/postgres/bin/postgres -D "$data" -c 'listen_addresses=*' -k /tmp
