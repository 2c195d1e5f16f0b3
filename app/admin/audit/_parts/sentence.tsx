import { useTranslations } from '#i18n'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { AccountLink } from '@/app/admin/_parts/account-link'
import { actionKey, isAction } from '@/app/admin/_parts/action-names'
import type { AuditView } from '@/lib/audit/schemas'
import { unicodeHost } from '@/lib/net/shown-host'

/** Who did what to which thing. */
export function Sentence({ entry }: { entry: AuditView }) {
  const t = useTranslations('admin')
  const { action, actorId, actorName, details } = entry
  const name = targetName(entry)
  const parts = {
    who: () => <AccountLink key="who" id={actorId} name={actorName} />,
    what: () => (
      <bdi key="what" title={entry.target} className="text-anywhere">
        {name}
      </bdi>
    ),
    action: textOf(details.action) || action,
    role: textOf(details.role),
    named: name === '' ? 'no' : 'yes',
    count: typeof details.letters === 'number' ? details.letters : Array.isArray(details.ids) ? details.ids.length : 0,
  }
  return isAction(action) ? t.rich(`did.${actionKey(action)}`, parts) : t.rich('did.other', parts)
}

/** What something was done to, by the name it goes by; '' for what has none. */
function targetName({ action, target, targetName, details }: AuditView): string {
  const [area] = action.split('.', 1)
  switch (area) {
    case 'account':
      return targetName || target.replace(/^account /, '')
    case 'username':
      return `@${textOf(details.username)}`
    case 'invitation':
      return targetName || textOf(details.email)
    case 'blocklist':
      return ruleName(target)
    case 'domain':
      return unicodeHost(target)
    case 'link':
    case 'report':
      return readableUrl(`https://${target}`)
    default:
      return target
  }
}

/** @param target kind and value: `suffix xn--bcher-kva.example` */
function ruleName(target: string): string {
  const [, kind, value = target] = /^(\w+) (.*)$/.exec(target) ?? []
  return kind === 'host' || kind === 'suffix' ? unicodeHost(value) : value
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
