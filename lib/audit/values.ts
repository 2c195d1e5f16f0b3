/** What admins do, as the log names it: which of what. */
const VERBS = {
  account: ['ban', 'delete', 'reset', 'role', 'sign-out', 'unban'],
  blocklist: ['act', 'add', 'import', 'remove'],
  'dead-letters': ['drop', 'retry'],
  domain: ['add', 'app-files', 'case', 'change', 'remove', 'verify'],
  email: ['test'],
  filter: ['rebuild'],
  invitation: ['create', 'revoke'],
  link: ['ban', 'complete', 'delete', 'disable', 'enable', 'end-split', 'restore', 'unban'],
  links: ['ban', 'delete', 'disable', 'enable', 'export', 'restore', 'unban'],
  'threat-list': ['edit', 'remove', 'replace'],
  report: ['ban', 'delete', 'disable', 'dismiss'],
  share: ['create', 'revoke'],
  username: ['ban', 'unban'],
} as const

type Verbs = typeof VERBS
export type AuditAction = { [Area in keyof Verbs]: `${Area}.${Verbs[Area][number]}` }[keyof Verbs]

export const AUDIT_ACTIONS = Object.entries(VERBS).flatMap(([area, verbs]) =>
  verbs.map((verb) => `${area}.${verb}`),
) as AuditAction[]
