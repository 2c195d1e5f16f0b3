/**
 * What is run on an engine: not everything on each, but what could differ there.
 *
 * @typedef {object} Part
 * @property {string} says what it is, for docs/engines.md
 * @property {string[]} tests paths of vitest: a test file runs whose path contains one of them
 * @property {string[]} browser test files of e2e/
 */

import { serverTests } from './sql-files.mjs'

/** A link is created, people sign up, three follow it and its owner sees the figures. */
const MAIN_PATH = ['create.spec.ts', 'sign-up.spec.ts', 'clicks.spec.ts']

/** @param {string[]} names */
const rooms = (...names) => names.map((name) => `lib/${name}/`)
/** @param {string[]} names */
const app = (...names) => names.map((name) => `tests/${name}.test.ts`)

/** @typedef {keyof typeof PARTS} PartName */
export const PARTS = /** @satisfies {Record<string, Part>} */ ({
  database: {
    says: 'what needs a server of all rooms of `lib/` with SQL of their own, the migrations and the schema among them; the app, faults of the database and jobs; and the main path in a browser',
    tests: [...serverTests(), ...app('smoke', 'mysql-faults', 'jobs', 'clicks')],
    browser: MAIN_PATH,
  },
  sql: {
    says: 'what needs a server of all rooms of `lib/` with SQL of their own, the migrations and the schema among them; and the app',
    tests: [...serverTests(), ...app('smoke')],
    browser: [],
  },
  connection: {
    says: 'the migrations, clients, pools and faults of the database, jobs, statistics, and the app as a whole',
    tests: [...rooms('db', 'stats', 'jobs'), ...app('smoke', 'mysql-faults', 'jobs')],
    browser: [],
  },
  redis: {
    says: 'the Bloom filter and its contract, claims, rebuilds, records, trust and failover, numbers, and the app with faults of Redis; and clicks in a browser',
    tests: [
      ...rooms('redis', 'codes', 'redirect'),
      ...['handles', 'spoken', 'references', 'jobs'].map((name) => `lib/ids/${name}.test.ts`),
      ...app('smoke', 'redis-faults'),
    ],
    browser: ['clicks.spec.ts'],
  },
  app: {
    says: 'the built app: processes, signals, streams, pages, limits and its start; what is near to Node in `lib/`; and the main path in a browser',
    tests: [...rooms('net', 'redis', 'tools'), ...app('smoke', 'processes', 'pipelining', 'fronts', 'limits', 'probes', 'start')],
    browser: MAIN_PATH,
  },
  cluster: {
    says: 'masters killed, slots moved and replicas that stand still, under load: [what must hold](operations.md#redis-with-replicas)',
    tests: ['tests/redis-cluster.test.ts', 'lib/redis/cluster.test.ts', 'lib/redirect/gaps.test.ts'],
    browser: [],
  },
  failover: {
    says: 'a master killed under load, two masters at once, and clicks that replicas must have',
    tests: [
      'tests/redis-sentinel.test.ts',
      'lib/redirect/sentinel.test.ts',
      'lib/redirect/failover.test.ts',
      'lib/clicks/replicas.test.ts',
    ],
    browser: [],
  },
  galera: {
    says: 'all nodes written to at once, one killed and one cut off, under load: [what must hold](operations.md#galera)',
    tests: ['tests/galera.test.ts'],
    browser: [],
  },
  moving: {
    says: 'a real YOURLS with 10,000 links, served by PHP: moved under load, [DNS first](moving.md), with faults and a flood',
    tests: ['tests/yourls.test.ts'],
    browser: [],
  },
  nginx: {
    says: 'a set of redirects from `npm run export` ([leaving](leaving.md)), compared link by link',
    tests: ['tests/nginx.test.ts'],
    browser: [],
  },
  apache: {
    says: 'the same from a text map and from its index',
    tests: ['tests/apache.test.ts'],
    browser: [],
  },
})
