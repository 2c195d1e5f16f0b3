import { Badge, type Tone } from '@/app/_ui/base/badge'
import type { ReportView } from '@/lib/reports/schemas'
import { STATES } from './report-names'

const TONES: Record<ReportView['state'], Tone> = { open: 'warn', acted: 'ok', dismissed: 'neutral' }

export const ReportState = ({ state }: Pick<ReportView, 'state'>) => <Badge tone={TONES[state]}>{STATES[state]}</Badge>
