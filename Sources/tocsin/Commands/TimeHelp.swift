/// What the help of several commands says about times and rules.
enum TimeHelp {
    static let text = """
        SPAN: 10m, 1h30m, 90s, 2 days ('m' is minutes). TIME: 8am, 20:15, noon, midnight, \
        tonight, tomorrow 8am, fri 15:00, 2026-12-24 18:00, 2026-12-24 18:00 Europe/Berlin, \
        2026-12-24T18:00:00+01:00, @1790000000, now + 10 minutes. A time without a day is its next \
        occurrence.

        RULE: 15m, day at 9, weekday at 9:30, weekend at 10, mon,wed at 9, 2 weeks on friday at \
        9, month on the 1st, month on the last day at 18:00, first monday of month at 10, last \
        friday of month at 17:00, year on december 24 at 18:00. SPEC: as in systemd.time(7), \
        'Mon..Fri *-*-* 9:30 Europe/Berlin'. EXPR: as in crontab(5), '30 9 * * 1-5', '@daily'.

        A time that a spring clock change removes fires at the end of the gap (a SPEC skips it), \
        one that an autumn change repeats fires once. What the time means is printed.
        """
}
