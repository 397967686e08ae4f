// Names that Windows and its office programs give to time zones, by the zone of their territory "001" (CLDR, windowsZones).

/** Each line: a zone of the system, then its names there. */
const NAMES = `
Etc/GMT+12: Dateline Standard Time
Etc/GMT+11: UTC-11
America/Adak: Aleutian Standard Time
Pacific/Honolulu: Hawaiian Standard Time
Pacific/Marquesas: Marquesas Standard Time
America/Anchorage: Alaskan Standard Time
Etc/GMT+9: UTC-09
America/Tijuana: Pacific Standard Time (Mexico)
Etc/GMT+8: UTC-08
America/Los_Angeles: Pacific Standard Time; Pacific Time (US & Canada)
America/Phoenix: US Mountain Standard Time; Arizona
America/Mazatlan: Mountain Standard Time (Mexico)
America/Denver: Mountain Standard Time; Mountain Time (US & Canada)
America/Whitehorse: Yukon Standard Time
America/Guatemala: Central America Standard Time
America/Chicago: Central Standard Time; Central Time (US & Canada)
Pacific/Easter: Easter Island Standard Time
America/Mexico_City: Central Standard Time (Mexico)
America/Regina: Canada Central Standard Time
America/Bogota: SA Pacific Standard Time
America/Cancun: Eastern Standard Time (Mexico)
America/New_York: Eastern Standard Time; Eastern Time (US & Canada)
America/Port-au-Prince: Haiti Standard Time
America/Havana: Cuba Standard Time
America/Indianapolis: US Eastern Standard Time
America/Grand_Turk: Turks And Caicos Standard Time
America/Asuncion: Paraguay Standard Time
America/Halifax: Atlantic Standard Time; Atlantic Time (Canada)
America/Caracas: Venezuela Standard Time
America/Cuiaba: Central Brazilian Standard Time
America/La_Paz: SA Western Standard Time
America/Santiago: Pacific SA Standard Time
America/St_Johns: Newfoundland Standard Time
America/Araguaina: Tocantins Standard Time
America/Sao_Paulo: E. South America Standard Time
America/Cayenne: SA Eastern Standard Time
America/Buenos_Aires: Argentina Standard Time
America/Godthab: Greenland Standard Time
America/Montevideo: Montevideo Standard Time
America/Punta_Arenas: Magallanes Standard Time
America/Miquelon: Saint Pierre Standard Time
America/Bahia: Bahia Standard Time
Etc/GMT+2: UTC-02
Atlantic/Azores: Azores Standard Time
Atlantic/Cape_Verde: Cape Verde Standard Time
Etc/UTC: UTC; tzone://Microsoft/Utc; Coordinated Universal Time; Greenwich Mean Time; GMT Time
Europe/London: GMT Standard Time; London
Atlantic/Reykjavik: Greenwich Standard Time
Africa/Sao_Tome: Sao Tome Standard Time
Africa/Casablanca: Morocco Standard Time
Europe/Berlin: W. Europe Standard Time; W. Europe; Berlin; Mitteleuropäische Zeit; Amsterdam, Berlin, Bern, Rom, Stockholm, Wien; Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna
Europe/Budapest: Central Europe Standard Time
Europe/Paris: Romance Standard Time; Paris, Madrid; Brussels, Copenhagen, Madrid, Paris; Brüssel, Kopenhagen, Madrid, Paris
Europe/Warsaw: Central European Standard Time
Africa/Lagos: W. Central Africa Standard Time
Asia/Amman: Jordan Standard Time
Europe/Bucharest: GTB Standard Time
Asia/Beirut: Middle East Standard Time
Africa/Cairo: Egypt Standard Time
Europe/Chisinau: E. Europe Standard Time
Asia/Damascus: Syria Standard Time
Asia/Hebron: West Bank Standard Time
Africa/Johannesburg: South Africa Standard Time
Europe/Kiev: FLE Standard Time
Asia/Jerusalem: Israel Standard Time
Africa/Juba: South Sudan Standard Time
Europe/Kaliningrad: Kaliningrad Standard Time
Africa/Khartoum: Sudan Standard Time
Africa/Tripoli: Libya Standard Time
Africa/Windhoek: Namibia Standard Time
Asia/Baghdad: Arabic Standard Time
Europe/Istanbul: Turkey Standard Time
Asia/Riyadh: Arab Standard Time
Europe/Minsk: Belarus Standard Time
Europe/Moscow: Russian Standard Time
Africa/Nairobi: E. Africa Standard Time
Europe/Volgograd: Volgograd Standard Time
Asia/Tehran: Iran Standard Time
Asia/Dubai: Arabian Standard Time
Europe/Astrakhan: Astrakhan Standard Time
Asia/Baku: Azerbaijan Standard Time
Europe/Samara: Russia Time Zone 3
Indian/Mauritius: Mauritius Standard Time
Europe/Saratov: Saratov Standard Time
Asia/Tbilisi: Georgian Standard Time
Asia/Yerevan: Caucasus Standard Time
Asia/Kabul: Afghanistan Standard Time
Asia/Tashkent: West Asia Standard Time
Asia/Yekaterinburg: Ekaterinburg Standard Time
Asia/Karachi: Pakistan Standard Time
Asia/Qyzylorda: Qyzylorda Standard Time
Asia/Calcutta: India Standard Time
Asia/Colombo: Sri Lanka Standard Time
Asia/Katmandu: Nepal Standard Time
Asia/Almaty: Central Asia Standard Time
Asia/Dhaka: Bangladesh Standard Time
Asia/Omsk: Omsk Standard Time
Asia/Rangoon: Myanmar Standard Time
Asia/Bangkok: SE Asia Standard Time
Asia/Barnaul: Altai Standard Time
Asia/Hovd: W. Mongolia Standard Time
Asia/Krasnoyarsk: North Asia Standard Time
Asia/Novosibirsk: N. Central Asia Standard Time
Asia/Tomsk: Tomsk Standard Time
Asia/Shanghai: China Standard Time
Asia/Irkutsk: North Asia East Standard Time
Asia/Singapore: Singapore Standard Time
Australia/Perth: W. Australia Standard Time
Asia/Taipei: Taipei Standard Time
Asia/Ulaanbaatar: Ulaanbaatar Standard Time
Australia/Eucla: Aus Central W. Standard Time
Asia/Chita: Transbaikal Standard Time
Asia/Tokyo: Tokyo Standard Time
Asia/Pyongyang: North Korea Standard Time
Asia/Seoul: Korea Standard Time
Asia/Yakutsk: Yakutsk Standard Time
Australia/Adelaide: Cen. Australia Standard Time
Australia/Darwin: AUS Central Standard Time
Australia/Brisbane: E. Australia Standard Time
Australia/Sydney: AUS Eastern Standard Time
Pacific/Port_Moresby: West Pacific Standard Time
Australia/Hobart: Tasmania Standard Time
Asia/Vladivostok: Vladivostok Standard Time
Australia/Lord_Howe: Lord Howe Standard Time
Pacific/Bougainville: Bougainville Standard Time
Asia/Srednekolymsk: Russia Time Zone 10
Asia/Magadan: Magadan Standard Time
Pacific/Norfolk: Norfolk Standard Time
Asia/Sakhalin: Sakhalin Standard Time
Pacific/Guadalcanal: Central Pacific Standard Time
Asia/Kamchatka: Russia Time Zone 11
Pacific/Auckland: New Zealand Standard Time
Etc/GMT-12: UTC+12
Pacific/Fiji: Fiji Standard Time
Pacific/Chatham: Chatham Islands Standard Time
Etc/GMT-13: UTC+13
Pacific/Tongatapu: Tonga Standard Time
Pacific/Apia: Samoa Standard Time
Pacific/Kiritimati: Line Islands Standard Time
`;

const ZONES: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [zone = '', names = ''] = line.split(/: (.*)/u);
      return names.split('; ').map((name) => [name.toLowerCase(), zone]);
    }),
);

/** The zone of the system; undefined: it is no name of Windows. An offset before it, such as "(UTC+01:00)", says nothing more. */
export function zoneOfWindows(name: string): string | undefined {
  return ZONES.get(name.replace(/^\((?:UTC|GMT)[^)]*\)\s*/iu, '').toLowerCase());
}
