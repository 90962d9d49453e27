package io.rankfeed.schema.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArtifactPathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "order.json",
                "lanes/train/lane-00000-00000.arrow",
                "data/split=train/part-00000-0a1b.c000.zstd.parquet",
                "-a",
                "data/_delta_log/00000000000000000000.json",
                "a..b"
            })
    void ordinaryPathsAreTaken(String path) {
        assertThat(new ArtifactPath(path)).hasToString(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/etc/passwd",
                "../x",
                "a/../../b",
                "a/..",
                ".",
                "a/./b",
                "a//b",
                "a/",
                "a\\b",
                "..\\x",
                "C:\\x",
                "C:x",
                "file:///etc/passwd",
                "http://h/x",
                "hdfs:x",
                "a\u0000b",
                "a\nb",
                "a\u001b[31m",
                "~/x",
                "_temporary/x",
                ".hidden",
                "a/_x",
                "_common_metadata",
                "_delta_log/00000000000000000000.json",
                "a/_delta_log",
                "a/_delta_log/0.json",
                "a/_delta_log/b/00000000000000000000.json",
                "a/_common_metadata/b",
                "a/_common_metadata2",
                "a/.part",
                "a b",
                "a%2e%2e",
                "ä",
                "a\u0308",
                "\u2024\u2024/x",
                "ａ",
                "\ud800",
                "a\n"
            })
    void whatCouldLeaveHideOrHaveATwinIsRefused(String path) {
        assertThatThrownBy(() -> ArtifactPath.parse(path, "manifest.json"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("manifest.json: ");
    }

    @Test
    void longAndDeepPathsAreRefused() {
        assertThat(new ArtifactPath("a".repeat(255)).value()).hasSize(255);
        assertThatThrownBy(() -> new ArtifactPath("a".repeat(256))).isInstanceOf(IllegalArgumentException.class);
        assertThat(new ArtifactPath("a/".repeat(15) + "a").value()).hasSize(31);
        assertThatThrownBy(() -> new ArtifactPath("a/".repeat(16) + "a")).hasMessageContaining("16 segments");
        assertThatThrownBy(() -> new ArtifactPath("a/".repeat(1_000_000))).hasMessageContaining("at most 1024");
    }
}
