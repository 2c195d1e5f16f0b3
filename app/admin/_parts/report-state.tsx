import { useTranslations } from '#i18n'
import { Badge, type Tone } from '@/app/_ui/base/badge'
import type { ReportView } from '@/lib/reports/schemas'

const TONES: Record<ReportView['state'], Tone> = { open: 'warn', acted: 'ok', dismissed: 'neutral' }

export function ReportState({ state }: Pick<ReportView, 'state'>) {
  const t = useTranslations('admin')
  return <Badge tone={TONES[state]}>{t(`reportState.${state}`)}</Badge>
}
