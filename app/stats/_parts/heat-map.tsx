import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Card } from '@/app/_ui/base/card'
import { cx } from '@/app/_ui/base/cx'
import { useFormat } from '@/app/_ui/data/format'
import { Scale } from './scale'
import { shade, stepOf, textOn } from './shading'
import { hourNames, weekdayNames, zoneName } from './times'

interface Place {
  day: number
  hour: number
}

/** When people click: a table of weekdays and hours, each cell as dark as it is busy. */
export function HeatMap({ hourOfWeek, timezone }: { hourOfWeek: number[][]; timezone: string }) {
  const t = useTranslations('stats')
  const format = useFormat()
  const [over, setOver] = useState<Place | null>(null)
  const highest = Math.max(0, ...hourOfWeek.flat())
  const [days, longDays, hours] = [weekdayNames('short', format), weekdayNames('long', format), hourNames(format)]
  const reading =
    over &&
    t('hours.reading', {
      day: longDays[over.day] ?? '',
      hour: hours[over.hour] ?? '',
      clicks: hourOfWeek[over.day]?.[over.hour] ?? 0,
    })
  return (
    <Card
      title={t('hours.title')}
      hint={t('hours.hint', { zone: zoneName(timezone) })}
      className="lg:col-span-2"
      action={
        <span className="flex flex-wrap items-center gap-x-4 text-[13px] text-muted">
          {reading}
          {highest > 0 && <Scale from={t('hours.fewer')} to={t('hours.more')} />}
        </span>
      }
    >
      <table className="w-full table-fixed border-separate border-spacing-px text-[11px]" onPointerLeave={() => setOver(null)}>
        <caption className="sr-only">{t('hours.caption')}</caption>
        <thead>
          <tr>
            <td className="w-9 sm:w-11" />
            {hours.map((name, hour) => (
              <th
                key={name}
                scope="col"
                className="h-5 overflow-visible text-left font-normal whitespace-nowrap text-muted lg:text-center"
              >
                <span className={cx(hour % 6 !== 0 && 'sr-only', hour % 3 === 0 ? 'lg:not-sr-only' : '')}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hourOfWeek.map((row, day) => (
            <tr key={longDays[day]}>
              <th scope="row" className="text-left text-[13px] font-normal text-muted">
                <abbr title={longDays[day]} className="no-underline">
                  {days[day]}
                </abbr>
              </th>
              {row.map((clicks, hour) => (
                <Cell key={hours[hour]} clicks={clicks} step={stepOf(clicks, highest)} onOver={() => setOver({ day, hour })} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Cell({ clicks, step, onOver }: { clicks: number; step: number; onOver: () => void }) {
  const format = useFormat()
  return (
    <td
      title={format.number(clicks)}
      data-step={step}
      onPointerEnter={onOver}
      className="h-8 rounded-[3px] bg-bg p-0 text-center tabular-nums sm:h-7"
      style={{ background: shade(step), color: textOn(step) }}
    >
      <span className={cx('sr-only', clicks > 0 && clicks < 100_000 && 'lg:not-sr-only')}>{format.compact(clicks)}</span>
    </td>
  )
}
