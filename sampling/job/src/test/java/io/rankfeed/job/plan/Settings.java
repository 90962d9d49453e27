package io.rankfeed.job.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.JobFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Settings of a feed as a job file has them. */
final class Settings {
    private Settings() {}

    /** @param keys of the feed, as the inside of a YAML map */
    static FeedSection train(String keys) {
        String yaml = String.join(
                "\n",
                "dataset: d",
                "root: /r",
                "sources: {t: {parquet: /in}}",
                "prepare: {select: {from: t}}",
                "sample: {train: {" + keys + "}}");
        return Objects.requireNonNull(JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of())
                .sample()
                .get("train"));
    }
}
