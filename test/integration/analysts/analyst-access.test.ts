import { describe, expect, test } from 'vitest';
import { READS } from '#local/servers/analyst-limits.ts';
import { testLedger } from '#support/services/test-ledger.ts';

const own = testLedger();

const refusal: typeof own.refusal = (query, more) => own.refusal(query, more);

test.each(READS)('the analyst may %s', async (grant) => {
  const [, columns = '*', name] = /^SELECT(?:\((.+)\))? ON (.+)$/.exec(grant)!;
  expect(await refusal(`SELECT ${columns} FROM ${name}`)).toBe('');
});

describe('the analyst is refused', () => {
  test.each([
    ['the table below the views', 'SELECT count() FROM usage.event'],
    ['the migrations of the ledger', 'SELECT * FROM usage.schema_migration'],
    ['the migrations of the market', 'SELECT * FROM market.schema_migration'],
    ['who chose a version', 'SELECT actor FROM market.served'],
    ['why', 'SELECT reason FROM market.served'],
    ['all of what was served', 'SELECT * FROM market.served'],
    ['the table below in a condition', 'SELECT 1 IN (SELECT 1 FROM usage.event)'],
    ['its definition', 'SHOW CREATE TABLE usage.event'],
    ['its columns', 'DESCRIBE TABLE usage.event'],
    ['its parts', `SELECT * FROM mergeTreeIndex('usage', 'event')`],
    ['its index analysis', `SELECT * FROM mergeTreeAnalyzeIndexes('usage', 'event')`],
    ['users', 'SELECT * FROM system.users'],
    ['grants of others', 'SELECT * FROM system.grants'],
    ['quotas of others', 'SELECT * FROM system.quotas'],
    ['queries of others', 'SELECT * FROM system.processes'],
    ['settings of the server', 'SELECT * FROM system.server_settings'],
    ['named collections', 'SELECT * FROM system.named_collections'],
    ['disks', 'SELECT * FROM system.disks'],
    ['parts', 'SELECT * FROM system.parts'],
    ['errors of others', 'SELECT * FROM system.errors'],
    ['how a user is made', 'SHOW CREATE USER analyst'],
    ['INSERT', `INSERT INTO usage.event (event_id) VALUES ('x')`],
    ['INSERT into the market', `INSERT INTO market.dataset (version) VALUES ('x')`],
    ['INSERT into a function', `INSERT INTO FUNCTION url('http://127.0.0.1:1/', TSV, 'a UInt8') VALUES (1)`],
    ['ALTER', 'ALTER TABLE usage.event DELETE WHERE 1'],
    ['ALTER of a view', `ALTER TABLE usage.run_v2 MODIFY SQL SECURITY INVOKER`],
    ['DELETE', 'DELETE FROM market.dataset WHERE 1'],
    ['DROP', 'DROP VIEW usage.run_v2'],
    ['TRUNCATE', 'TRUNCATE TABLE market.dataset'],
    ['OPTIMIZE', 'OPTIMIZE TABLE market.dataset FINAL'],
    ['CREATE TABLE', 'CREATE TABLE usage.mine (a UInt8) ENGINE = Memory'],
    ['CREATE TEMPORARY TABLE', 'CREATE TEMPORARY TABLE mine (a UInt8)'],
    ['CREATE VIEW', 'CREATE VIEW usage.mine AS SELECT 1'],
    ['CREATE FUNCTION', 'CREATE FUNCTION mine AS (a) -> a'],
    [
      'CREATE DICTIONARY',
      'CREATE DICTIONARY usage.mine (a UInt8) PRIMARY KEY a SOURCE(NULL()) LAYOUT(FLAT()) LIFETIME(1)',
    ],
    ['CREATE USER', 'CREATE USER mine NOT IDENTIFIED'],
    ['GRANT', 'GRANT SELECT ON usage.event TO analyst'],
    ['KILL', `KILL QUERY WHERE user = 'fleet'`],
    ['SYSTEM', 'SYSTEM STOP MERGES usage.event'],
    ['an end of the port', 'SYSTEM STOP LISTEN HTTP'],
    ['BACKUP', `BACKUP TABLE usage.event TO File('stolen')`],
    ['USE of another database', 'USE default'],
    ['the table function filesystem()', `SELECT * FROM filesystem('/etc')`],
    ['url()', `SELECT * FROM url('http://127.0.0.1:1/', TSV, 'a UInt8')`],
    ['s3()', `SELECT * FROM s3('http://127.0.0.1:1/bucket/key', TSV, 'a UInt8')`],
    ['gcs()', `SELECT * FROM gcs('http://127.0.0.1:1/bucket/key', TSV, 'a UInt8')`],
    ['hudi()', `SELECT * FROM hudi('http://127.0.0.1:1/bucket/key')`],
    ['deltaLake()', `SELECT * FROM deltaLake('http://127.0.0.1:1/bucket/key')`],
    ['iceberg()', `SELECT * FROM iceberg('http://127.0.0.1:1/bucket/key')`],
    ['icebergLocal()', `SELECT * FROM icebergLocal('/tmp')`],
    ['hdfs()', `SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', TSV, 'a UInt8')`],
    ['azureBlobStorage()', `SELECT * FROM azureBlobStorage('x', 'y', 'z')`],
    ['remote()', `SELECT * FROM remote('127.0.0.1:1', usage.event)`],
    ['remoteSecure()', `SELECT * FROM remoteSecure('127.0.0.1:1', usage.event)`],
    ['mysql()', `SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')`],
    ['postgresql()', `SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')`],
    ['mongodb()', `SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'a UInt8')`],
    ['redis()', `SELECT * FROM redis('127.0.0.1:1', 'k', 'k String')`],
    ['jdbc()', `SELECT * FROM jdbc('x', 'y')`],
    ['odbc()', `SELECT * FROM odbc('x', 'y')`],
    ['executable()', `SELECT * FROM executable('cat', TSV, 'a String')`],
    ['dictionary()', `SELECT * FROM dictionary('x')`],
    ['loop()', 'SELECT * FROM loop(system.users) LIMIT 1'],
    ['view() of what is refused', 'SELECT * FROM view(SELECT * FROM system.users)'],
    ['introspection', 'SELECT addressToLine(1)'],
  ])('%s', async (_, query) => {
    expect(await refusal(query)).toMatch(/^(ACCESS_DENIED|READONLY)$/);
  });

  test.each([
    ['another file name', `SELECT * FROM merge('usage', '^event$')`, 'CANNOT_EXTRACT_TABLE_STRUCTURE'],
    ['clusters', `SELECT * FROM cluster('default', system.one)`, 'CLUSTER_DOESNT_EXIST'],
    ['a file for the answer', `SELECT 1 INTO OUTFILE '/tmp/answer'`, 'INTO_OUTFILE_NOT_ALLOWED'],
    ['dictionaries', `SELECT dictGet('usage.x', 'y', 1)`, 'BAD_ARGUMENTS'],
    ['another user', 'EXECUTE AS fleet SELECT 1', 'SUPPORT_IS_DISABLED'],
  ])('%s', async (_, query, code) => {
    expect(await refusal(query)).toBe(code);
  });

  test('every file of the host under any name, even with another directory in place of the removed one', async () => {
    for (const name of [
      '/etc/hostname',
      'users.xml',
      '../users.xml',
      '/proc/self/environ',
      import.meta.filename,
    ]) {
      for (const call of [`file('${name}')`, `file('${name}', '')`, `file('${name}', NULL)`]) {
        expect(await refusal(`SELECT length(${call})`), call).toContain('getcwd');
      }
    }
    for (const source of ["file('/etc/hostname', LineAsString)", "sqlite('/tmp/any', 'table')"])
      expect(await refusal(`SELECT * FROM ${source}`), source).toMatch(/getcwd|ACCESS_DENIED/);
    expect(await refusal(`SELECT catboostEvaluate('/tmp/any', 1)`)).not.toBe('');
  });

  test('the secrets of keys: no visible table or column could hold any', async () => {
    const columns = await own.rows<{ name: string }>(
      `SELECT DISTINCT name FROM system.columns WHERE match(name, '(?i)secret|hash|token|password|pepper')
       AND database != 'system'`,
    );
    expect(columns).toEqual([]);
  });
});
