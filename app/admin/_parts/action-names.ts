import type { AuditAction } from '@/lib/audit/schemas'

const NAMES: Partial<Record<string, string>> = {
  'account.ban': 'Banned an account',
  'account.delete': 'Deleted an account',
  'account.reset': 'Made a reset link',
  'account.role': 'Changed a role',
  'account.sign-out': 'Signed an account out',
  'account.unban': 'Unbanned an account',
  'blocklist.act': 'Acted on what a rule matches',
  'blocklist.add': 'Added a rule to the blocklist',
  'blocklist.import': 'Imported rules',
  'blocklist.remove': 'Removed a rule',
  'dead-letters.drop': 'Dropped dead letters',
  'dead-letters.retry': 'Retried dead letters',
  'domain.add': 'Added a domain',
  'domain.change': 'Changed a domain',
  'domain.remove': 'Removed a domain',
  'domain.verify': 'Verified a domain',
  'filter.rebuild': 'Began to rebuild the code filter',
  'invitation.create': 'Made an invitation',
  'invitation.revoke': 'Revoked an invitation',
  'link.ban': 'Banned a link',
  'link.delete': 'Deleted a link',
  'link.disable': 'Disabled a link',
  'link.enable': 'Enabled a link',
  'link.restore': 'Restored a link',
  'link.unban': 'Unbanned a link',
  'links.ban': 'Began to ban links',
  'links.delete': 'Began to delete links',
  'links.disable': 'Began to disable links',
  'links.enable': 'Began to enable links',
  'links.restore': 'Began to restore links',
  'links.unban': 'Began to unban links',
  'report.ban': 'Handled a report: banned the link',
  'report.delete': 'Handled a report: deleted the link',
  'report.disable': 'Handled a report: disabled the link',
  'report.dismiss': 'Dismissed a report',
} satisfies Record<AuditAction, string>

/** Actions that are known by name, for a choice. */
export const ACTIONS: readonly string[] = Object.keys(NAMES)

/** An action as a person says it; one that is not known here nearly as the log has it. */
export function actionName(action: string): string {
  const words = action.replace(/[._-]+/g, ' ').trim()
  return NAMES[action] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
