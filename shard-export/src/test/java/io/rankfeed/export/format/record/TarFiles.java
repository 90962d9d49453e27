package io.rankfeed.export.format.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.format.WrittenSet;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader of tar files for tests. */
final class TarFiles {
    private TarFiles() {}

    /** Reads tar files by POSIX's description of ustar: samples by key in their order, with their entries in order. */
    static Map<String, Map<String, byte[]>> read(WrittenSet written, long shardBytes) {
        Map<String, Map<String, byte[]>> samples = new LinkedHashMap<>();
        written.files().published().forEach((path, tar) -> {
            if (!path.endsWith(".tar")) {
                return;
            }
            String last = "";
            int at = 0;
            long rows = 0;
            while (tar[at] != 0) {
                String name = field(tar, at, 100);
                String key = name.substring(0, name.indexOf('.'));
                int length = Integer.parseInt(field(tar, at + 124, 12), 8);
                int sum = 0;
                for (int i = 0; i < 512; i++) {
                    sum += i >= 148 && i < 156 ? ' ' : tar[at + i] & 0xFF;
                }
                assertThat(Integer.parseInt(field(tar, at + 148, 8), 8)).isEqualTo(sum);
                assertThat(field(tar, at + 257, 6)).isEqualTo("ustar");
                if (!key.equals(last)) {
                    assertThat(samples.put(key, new LinkedHashMap<>())).as(key).isNull();
                    rows++;
                }
                last = key;
                samples.get(key)
                        .put(
                                name.substring(name.indexOf('.') + 1),
                                Arrays.copyOfRange(tar, at + 512, at + 512 + length));
                at += 512 + (length + 511) / 512 * 512;
            }
            assertThat(Arrays.copyOfRange(tar, at, tar.length)).containsOnly(0).hasSize(1024);
            assertThat(shardBytes == 0 || rows == 1 || tar.length <= shardBytes).isTrue();
        });
        samples.values()
                .forEach(sample -> assertThat(List.copyOf(sample.keySet())).isSorted());
        return samples;
    }

    private static String field(byte[] tar, int at, int length) {
        int end = at;
        while (end < at + length && tar[end] != 0) {
            end++;
        }
        return new String(tar, at, end - at, StandardCharsets.US_ASCII);
    }
}
