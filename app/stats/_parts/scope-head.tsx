import { useRouter } from 'next/navigation'
import { useTranslations } from '#i18n'
import { Select } from '@/app/_ui/base/select'
import { getLabels } from '@/app/_ui/data/links'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import type { ScopeAccess } from '@/app/_ui/data/stats'
import type { ViewControl } from './use-view'
import { viewQuery } from './view'

type Scope = ScopeAccess['scope']

interface Props {
  scope: Scope
  /** Hosts of the domains. */
  hosts: readonly string[]
  control: ViewControl
}

const KINDS = ['tag', 'folder', 'domain'] as const

/** Which links these are, and a way to others. */
export function ScopeHead({ scope, hosts, control }: Props) {
  const t = useTranslations('stats')
  const router = useRouter()
  const labels = useServerData(['labels'], getLabels)
  const kind = KINDS.find((name) => scope[name] !== undefined)
  const name = kind ? (scope[kind] ?? '') : ''
  const nameOf = ({ tag, folder, domain }: Scope) => {
    if (tag !== undefined) return t('scope.option.tag', { name: tag })
    if (folder !== undefined) return t('scope.option.folder', { name: folder })
    if (domain !== undefined) return t('scope.option.domain', { name: readableUrl(`https://${domain}`) })
    return t('scope.all')
  }
  const { folders = [], tags = [] } = labels.value ?? {}
  const offered: Scope[] = [
    {},
    ...(hosts.length > 1 ? hosts.map((domain) => ({ domain })) : []),
    ...folders.map(({ name: folder }) => ({ folder })),
    ...tags.map(({ name: tag }) => ({ tag })),
  ]
  const isThis = (one: Scope) => KINDS.every((which) => same(one[which], scope[which]))
  const options = offered.some(isThis) ? offered : [...offered, scope]
  const keyOf = (one: Scope) => new URLSearchParams(one).toString()
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 sm:flex-row sm:items-end sm:justify-between">
      <h1 className="min-w-0 text-sm text-muted">
        {t.rich('page.heading', {
          link: () => (
            <bdi className="mt-0.5 line-clamp-3 py-1 text-xl font-semibold tracking-tight break-words text-fg sm:line-clamp-2 sm:text-2xl">
              {kind === 'domain' ? readableUrl(`https://${name}`) : kind ? nameOf(scope) : t('scope.all')}
            </bdi>
          ),
        })}
      </h1>
      <Select
        label={t('scope.choose')}
        className="sm:w-64 sm:shrink-0"
        value={keyOf(options.find(isThis) ?? {})}
        options={options.map((one) => ({ value: keyOf(one), label: nameOf(one) }))}
        onChange={(key) => {
          const query = viewQuery(control.view, Object.fromEntries(new URLSearchParams(key)))
          router.push(query === '' ? '/stats' : `/stats?${query}`)
        }}
      />
    </div>
  )
}

/** Names of tags and folders that differ in case alone are one. */
const same = (a: string | undefined, b: string | undefined) => a?.toLowerCase() === b?.toLowerCase()
