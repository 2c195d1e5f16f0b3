/** The systemd unit that runs `npm start` after each start of the machine. */

import path from 'node:path'

/** Directories that ProtectHome=yes would hide. */
const HOMES = ['/home', '/root', '/run/user']
/** What systemd makes for the user of the service, by StateDirectory. */
const STATE = '/var/lib'

/**
 * How long an orderly stop may take, in s: the app ends its requests (10 s, killed after 15), then Redis and the database write what
 * they hold, up to 60 s each (app.mjs, daemon.mjs).
 */
const STOP = 150

/**
 * @param {object} place
 * @param {string} place.root the folder of the project
 * @param {string} place.dataDir absolute
 * @param {string} place.node the program
 * @param {string} [place.user]
 * @returns {string} the unit
 * @throws {Error} on a control character, which would begin another line
 */
export function serviceUnit({ root, dataDir, node, user = 'terse' }) {
  for (const text of [root, dataDir, node, user])
    if (/\p{Cc}/u.test(text)) throw new Error(`a unit takes no control characters: ${JSON.stringify(text)}`)
  const isHome = [root, dataDir, node].some((file) => HOMES.some((home) => isBelow(file, home)))
  const state = isBelow(dataDir, STATE) ? path.relative(STATE, dataDir) : undefined
  const folder =
    state === undefined ? [`ReadWritePaths=${quoted(dataDir)}`] : [`StateDirectory=${quoted(state)}`, 'StateDirectoryMode=0700']
  return `# Made by \`npm run --silent service\`. Install it as /etc/systemd/system/terse.service.
[Unit]
Description=Terse, a URL shortener
After=network-online.target mariadb.service mysql.service redis-server.service
Wants=network-online.target
StartLimitIntervalSec=10min
StartLimitBurst=10

[Service]
Type=exec
User=${user}
Group=${user}
WorkingDirectory=${root.replaceAll('%', '%%')}
# What it needs is installed before, by someone who may.
Environment=NO_INSTALL=1 ${quoted(`DATA_DIR=${dataDir}`)}
ExecStart=${quoted(node).replaceAll('$', '$$$$')} scripts/start.mjs
Restart=always
RestartSec=2
# The launcher alone is told: it lets the app end its requests, and then stops the servers that the app stands on.
KillMode=mixed
TimeoutStopSec=${STOP}
LimitNOFILE=65536
UMask=0077

# It writes to its data folder and nowhere else.
ProtectSystem=strict
ProtectHome=${isHome ? 'read-only' : 'yes'}
${folder.join('\n')}
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
# It becomes nobody else, and needs nothing of the kernel but files, memory and the network.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
# Not MemoryDenyWriteExecute, since V8 compiles as it runs; not ProcSubset=pid, since the launcher tells runs of the machine apart.

[Install]
WantedBy=multi-user.target
`
}

/** @param {string} file @param {string} folder */
function isBelow(file, folder) {
  return file.startsWith(`${folder}/`)
}

/** As systemd takes words: quotes and backslashes escaped, and no specifiers. @param {string} word */
function quoted(word) {
  return `"${word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
}
