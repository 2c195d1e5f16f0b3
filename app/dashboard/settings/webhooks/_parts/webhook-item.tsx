import { Ellipsis, KeyRound, Pencil, Power, Send, Trash2 } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button, IconButton } from '@/app/_ui/base/button'
import { Menu, MenuItem, MenuSeparator } from '@/app/_ui/base/menu'
import { useFormat } from '@/app/_ui/data/format'
import { ItemText } from '@/app/dashboard/settings/_parts/settings-list'
import type { WebhookView } from '@/lib/webhooks/schemas'

export type WebhookAction = 'delete' | 'deliveries' | 'edit' | 'off' | 'on' | 'roll' | 'test'

/** By what a webhook is called in sentences. */
export const hostOf = (url: string) => new URL(url).host

interface Props {
  webhook: WebhookView
  onAction: (action: WebhookAction) => void
}

export function WebhookItem({ webhook, onAction }: Props) {
  const t = useTranslations('settings.webhooks')
  const { url, events, enabled } = webhook
  const host = hostOf(url)
  return (
    <>
      <ItemText title={url} badges={<State webhook={webhook} />}>
        {events.map((event) => t(`event.${event.replace('.', '_') as 'link_created'}`)).join(' · ')}
        <Trouble webhook={webhook} />
      </ItemText>
      <div className="flex items-center gap-1">
        <Button size="small" aria-label={t('deliveries.name', { host })} onClick={() => onAction('deliveries')}>
          {t('deliveries.action')}
        </Button>
        <Menu trigger={<IconButton icon={Ellipsis} label={t('more', { host })} hint={t('moreHint')} />}>
          <MenuItem icon={Pencil} onSelect={() => onAction('edit')}>
            {t('edit.action')}
          </MenuItem>
          {enabled && (
            <MenuItem icon={Send} onSelect={() => onAction('test')}>
              {t('test.action')}
            </MenuItem>
          )}
          <MenuItem icon={Power} onSelect={() => onAction(enabled ? 'off' : 'on')}>
            {t(enabled ? 'off' : 'on')}
          </MenuItem>
          <MenuItem icon={KeyRound} onSelect={() => onAction('roll')}>
            {t('roll.action')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onSelect={() => onAction('delete')}>
            {t('delete.action')}
          </MenuItem>
        </Menu>
      </div>
    </>
  )
}

function State({ webhook: { enabled, failingSince } }: { webhook: WebhookView }) {
  const t = useTranslations('settings.webhooks.state')
  if (!enabled) return <Badge>{t('off')}</Badge>
  return failingSince === null ? null : <Badge tone="warn">{t('failing')}</Badge>
}

/** Since when it takes nothing, and what follows from that. */
function Trouble({ webhook: { enabled, failingSince, turnedOffAt } }: { webhook: WebhookView }) {
  const t = useTranslations('settings.webhooks')
  const format = useFormat()
  const text =
    !enabled && turnedOffAt !== null
      ? t('wasTurnedOff', { time: format.time(turnedOffAt) })
      : enabled && failingSince !== null
        ? t('failingSince', { time: format.time(failingSince) })
        : null
  return text && <span className="mt-0.5 block text-warn">{text}</span>
}
