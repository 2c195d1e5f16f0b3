import { useState } from 'react'
import { Card } from '@/app/_ui/base/card'
import { cx } from '@/app/_ui/base/cx'
import { formatCompact, formatNumber } from '@/app/_ui/data/numbers'
import { shade } from './shading'
import { hourNames, weekdayNames } from './times'

/** When people click: a table of weekdays and hours, each cell as dark as it is busy. */
export function HeatMap({ hourOfWeek }: { hourOfWeek: number[][] }) {
  const [over, setOver] = useState<{ day: number; hour: number } | null>(null)
  const highest = Math.max(0, ...hourOfWeek.flat())
  const [days, longDays, hours] = [weekdayNames('short'), weekdayNames('long'), hourNames()]
  const reading = over && `${longDays[over.day]}, ${hours[over.hour]}: ${formatNumber(hourOfWeek[over.day]?.[over.hour] ?? 0)}`
  return (
    <Card
      title="Busy hours"
      className="lg:col-span-2"
      action={<span className="text-[13px] text-muted">{reading ?? 'Clicks by weekday and hour'}</span>}
    >
      <table className="w-full table-fixed border-separate border-spacing-px text-[11px]" onPointerLeave={() => setOver(null)}>
        <caption className="sr-only">Clicks by weekday and hour</caption>
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
                <td
                  key={hours[hour]}
                  title={formatNumber(clicks)}
                  onPointerEnter={() => setOver({ day, hour })}
                  className="h-8 rounded-[3px] bg-bg p-0 text-center tabular-nums sm:h-7"
                  style={{ background: shade(clicks, highest) }}
                >
                  <span className={cx('sr-only', clicks > 0 && clicks < 100_000 && 'lg:not-sr-only')}>
                    {formatCompact(clicks)}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
