import type { DriverId } from '../../../../src/core/profile/driverKinds.ts';

/** Parameters with which each driver reads its output below; default where none stand here. */
export const paramsOf: Readonly<Record<string, Record<string, unknown>>> = {
  command: { command: 'x', pattern: '(?<throughput>[0-9.]+) ops' },
  simload: { kind: 'mail' },
};

const fioDocument = (ms: number, ios: number, bins: Record<string, number>): string =>
  JSON.stringify(
    {
      timestamp_ms: 1_000_000 + ms,
      jobs: [
        {
          read: { total_ios: ios, runtime: ms, clat_ns: { N: ios, mean: 5_000, bins } },
          write: { total_ios: 0 },
        },
      ],
    },
    null,
    1,
  );

/** What the real tools printed, shortened, by driver. */
export const outputs: Readonly<Record<string, string>> = {
  'sysbench-oltp':
    'sysbench 1.0.20\n\nThreads started!\n\n[ 1s ] thds: 2 tps: 20.05 qps: 401.00 (r/w/o: 280.70/80.20/40.10) lat (ms,95%): 6.09 err/s: 0.00 reconn/s: 0.00\n[ 1s ] queue length: 0, concurrency: 0\n[ 2s ] thds: 2 tps: 19.00 qps: 380.00 (r/w/o: 266.00/76.00/38.00) lat (ms,95%): 7.17 err/s: 1.00 reconn/s: 0.00\n',
  'sysbench-cpu':
    '[ 1s ] thds: 1 eps: 4960.71 lat (ms,95%): 0.20\n[ 2s ] thds: 1 eps: 5263.75 lat (ms,95%): 0.21\n',
  dbench:
    "Running for 12 seconds with load 'client.txt' and minimum warmup 2 secs\nreleasing clients\n   1     96098   536.97 MB/sec  warmup   1 sec  latency 6.013 ms\n   1    294983   535.44 MB/sec  execute   1 sec  latency 2.916 ms\n   1    388371   518.95 MB/sec  execute   2 sec  latency 5.711 ms\n   1  cleanup  13 sec\n\nThroughput 518.95 MB/sec  1 clients  1 procs  max_latency=5.711 ms\n",
  fio: `${fioDocument(900, 90, { 1000: 80, 2000: 10 })}\n${fioDocument(1_900, 190, { 1000: 170, 2000: 20 })}\n${fioDocument(2_000, 200, { 1000: 180, 2000: 20 })}\n`,
  heartbeat: 'beat 1001 1\nbeat 1002 2\nbeat 1004 3\n',
  tilekit: `{"kit":"1.0.0","schema":1,"startUnixNs":1795439994790101600,"scenario":"web","mode":"open","seed":1}\n{"t":0,"op":"page","lengthS":1,"started":24,"done":24,"requests":24,"bytes":13032,"latency":"HISTFAAAAE14nJJpmSzMwMBgwAABTFCaEUQoH3ZjsP8AEZjNwuTKxM7EwsjEyiTIBCE5mXiZuJkYmWTBmJ2JnWkiI9NrRiZHpkomQAAAAP//UTQHwQ==","service":"HISTFAAAAFB4nJJpmSzMwMCgwwABTFCaEUQoH3ZjsP8AEdjMxMTOpMqkzcLKJMwkysTOIszEzCLLxMzEycTOxMoUySTJZMykzpTIdJuZCRAAAP//PsAHlw=="}\n{"t":0,"op":"*","lengthS":1,"offered":24,"started":24,"done":24,"requests":24,"bytes":13032,"lateMeanUs":295,"lateP99Us":1804,"lateMaxUs":1805,"cpuPct":0.9,"latency":"HISTFAAAAE14nJJpmSzMwMBgwAABTFCaEUQoH3ZjsP8AEZjNwuTKxM7EwsjEyiTIBCE5mXiZuJkYmWTBmJ2JnWkiI9NrRiZHpkomQAAAAP//UTQHwQ==","service":"HISTFAAAAFB4nJJpmSzMwMCgwwABTFCaEUQoH3ZjsP8AEdjMxMTOpMqkzcLKJMwkysTOIszEzCLLxMzEycTOxMoUySTJZMykzpTIdJuZCRAAAP//PsAHlw=="}\n{"t":1,"op":"page","lengthS":1,"started":22,"done":22,"requests":22,"bytes":11946,"latency":"HISTFAAAAEx4nJJpmSzMwMCgzgABTFCaEUQoH3ZjsP8AEZjKwqTNxMokyCTPxMTOxMTKxMmmy8SkysTEzPSQkYlJlGk/E9NxRiZAAAAA//8hWgfb","service":"HISTFAAAAFB4nJJpmSzMwMCgwwABTFCaEUQoH3ZjsP8AEVjOxOTNxMokz8TOxCTNJMjEycTOxMrEycTJwszEysTIxMvEzqTPtJuV6SojEyAAAP//OnAHUQ=="}\n{"t":1,"op":"*","lengthS":1,"offered":22,"started":22,"done":22,"requests":22,"bytes":11946,"lateMeanUs":238,"lateP99Us":802,"lateMaxUs":802,"cpuPct":1.5,"latency":"HISTFAAAAEx4nJJpmSzMwMCgzgABTFCaEUQoH3ZjsP8AEZjKwqTNxMokyCTPxMTOxMTKxMmmy8SkysTEzPSQkYlJlGk/E9NxRiZAAAAA//8hWgfb","service":"HISTFAAAAFB4nJJpmSzMwMCgwwABTFCaEUQoH3ZjsP8AEVjOxOTNxMokz8TOxCTNJMjEycTOxMrEycTJwszEysTIxMvEzqTPtJuV6SojEyAAAP//OnAHUQ=="}\n{"end":true,"reason":"done","seconds":1.9627834910000002,"offered":46,"done":46,"shed":0,"unfinished":0,"requests":46,"bytes":24978,"cpuSeconds":0.026923999999999997,"saturatedSeconds":0,"latency":"HISTFAAAAGd4nJJpmSzMwMDgzwABTFCaEUQoH3ZjsP8AEZjKwsTMpMrEyiTIxMjEzsTCyMTKxMwEYYEgKxsnEycTLxMrE5grywKiJZnYmdiZJjIyyTIxiTJtZGRyZHJn0meaysgECAAA//8LqQh1","service":"HISTFAAAAGp4nCyIsQ3CQAwA7bMt6wuqFwV6OoQoKRiAjpId2IUNMkRGSJUqC2WEKPpccSfd9T9UEflKh6O667Z85L32MUIhuXMiqB4oCcbZ05Pi5kpQCNRRwhUjIHnSuPDiwY/ZaEzKFgAA//8KcAht"}\n`,
  'tilekit-dvdstore': `{"kit":"1.1.0","schema":1,"startUnixNs":1795451664236437044,"scenario":"dvdstore","mode":"closed","seed":0}\n{"t":0,"op":"order","lengthS":1,"started":25,"done":25,"requests":120,"bytes":74659,"counts":{"newCustomers":3,"orderLines":136,"orders":25},"latency":"HISTFAAAAE14nJJpmSzMwMCgxwABTFCaEUQoH3ZjsP8AEbjIwSTP5MjEysTKJMkkzsTNxKTIxMrEz8TCCBbjZwGRnEzCTPZMrYxMgAAAAP//TCcGvQ==","service":"HISTFAAAAFJ4nJJpmSzMwMBgwAABTFCaEUQoH3ZjsP8AEbjOzuTNxMlkysTIpMjEz8TPxMvEzsTMxMokzsTIxMQMQsxM7CziTL5MikxrGZkAAQAA//9e5wcl"}\n{"t":0,"op":"*","lengthS":1,"offered":25,"started":25,"done":25,"requests":120,"bytes":74659,"counts":{"newCustomers":3,"orderLines":136,"orders":25},"lateMeanUs":550,"lateP99Us":1035,"lateMaxUs":1035,"cpuPct":1.7,"latency":"HISTFAAAAE14nJJpmSzMwMCgxwABTFCaEUQoH3ZjsP8AEbjIwSTP5MjEysTKJMkkzsTNxKTIxMrEz8TCCBbjZwGRnEzCTPZMrYxMgAAAAP//TCcGvQ==","service":"HISTFAAAAFJ4nJJpmSzMwMBgwAABTFCaEUQoH3ZjsP8AEbjOzuTNxMlkysTIpMjEz8TPxMvEzsTMxMokzsTIxMQMQsxM7CziTL5MikxrGZkAAQAA//9e5wcl"}\n{"t":1,"op":"order","lengthS":0.973,"started":16,"done":16,"requests":76,"bytes":44040,"counts":{"orderLines":64,"orders":16},"latency":"HISTFAAAAEN4nJJpmSzMwMAgzwABTFCaEUQoH3ZjsP8AEVjLyaTJpMzEwsgkzMTIxMwkyKTNpM3EyqTKNJGRSZ4JEAAA///qxwZA","service":"HISTFAAAAEV4nJJpmSzMwMCgyAABTFCaEUQoH3ZjsP8AEWjnZGJkYmJmYmXiZxJl4mTiZuJnEmbiZAplUmWazMjEzgQIAAD//+q3Bfc="}\n{"t":1,"op":"*","lengthS":0.973,"offered":16,"started":16,"done":16,"requests":76,"bytes":44040,"counts":{"orderLines":64,"orders":16},"lateMeanUs":534,"lateP99Us":1316,"lateMaxUs":1316,"cpuPct":1.3,"latency":"HISTFAAAAEN4nJJpmSzMwMAgzwABTFCaEUQoH3ZjsP8AEVjLyaTJpMzEwsgkzMTIxMwkyKTNpM3EyqTKNJGRSZ4JEAAA///qxwZA","service":"HISTFAAAAEV4nJJpmSzMwMCgyAABTFCaEUQoH3ZjsP8AEWjnZGJkYmJmYmXiZxJl4mTiZuJnEmbiZAplUmWazMjEzgQIAAD//+q3Bfc="}\n{"end":true,"reason":"done","seconds":1.9751307169999999,"offered":41,"done":41,"shed":0,"unfinished":0,"requests":196,"bytes":118699,"counts":{"newCustomers":3,"orderLines":200,"orders":41},"cpuSeconds":0.03147,"saturatedSeconds":0,"latency":"HISTFAAAAF94nJJpmSzMwMDgzgABTFCaEUQoH3ZjsP8AEbjIwSTPZM7EzsTKxMrEz8TOJM7ExMLIxMzExM0EojiZWFn4QSIgeWYmThYQzcnEDObLMskz5TMJM3EyAQIAAP//42oG2Q==","service":"HISTFAAAAGF4nCyJsQ2FMBBDLy85nb6+EEWKNHQZAVHTQcFMdGzASAzBGoyATsGybD17OM4sIqs08XXwqNci89OG29j4MREoBNyKYihdMmeFnuhHxDmCpsJI4U9mx6i8AQAA///uRAc0"}\n`,
  iperf3:
    'Connecting to host 127.0.0.1, port 15201\n[  5] local 127.0.0.1 port 40174 connected to 127.0.0.1 port 15201\n[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n[  5]   0.00-1.01   sec  12.0 MBytes  100201 Kbits/sec    0    767 KBytes       \n[  5]   1.01-2.00   sec  11.9 MBytes  100663 Kbits/sec    3   1023 KBytes       \n[  5]   2.00-2.02   sec   128 KBytes  52429 Kbits/sec    0   1023 KBytes       \n- - - - - - - - - - - - - - - - - - - - - - - - -\n[ ID] Interval           Transfer     Bitrate         Retr\n[  5]   0.00-2.02   sec  24.0 MBytes  99951 Kbits/sec    3             sender\n[  5]   0.00-2.02   sec  24.0 MBytes  99812 Kbits/sec                  receiver\n\niperf Done.\n',
  command: '10.5 ops\nnoise\n11 ops\n',
  simload:
    '# mail on t1-mail\nload 60 tp=16.250 mean=120.500 p95=310.250 p99=480.125 err=0.0000\nload 120 tp=16.125 mean=121.000 p95=311.000 p99=481.500 err=0.0500\n# total tp=16.188 mean=120.750 p95=310.625\n',
} satisfies Record<DriverId, string>;
