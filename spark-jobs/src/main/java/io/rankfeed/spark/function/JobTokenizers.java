package io.rankfeed.spark.function;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.job.TokenizerSection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** The tokenizers that a job names. */
final class JobTokenizers {
    private static final long MAX_BYTES = 256L << 20;

    private final Map<String, TokenizerFile> files = new LinkedHashMap<>();

    private JobTokenizers() {}

    /**
     * Reads every file, and has this JVM's native library take it.
     *
     * @throws ConfigException if one is not there
     * @throws CorruptDataException if one is not a tokenizer
     */
    static JobTokenizers read(SparkSession spark, Configuration conf, Map<String, TokenizerSection> sections) {
        JobTokenizers tokenizers = new JobTokenizers();
        sections.forEach((name, section) -> tokenizers.files.put(name, read(spark, conf, name, section)));
        return tokenizers;
    }

    private static TokenizerFile read(SparkSession spark, Configuration conf, String name, TokenizerSection section) {
        Path path = new Path(section.file());
        byte[] bytes = Storage.read(Storage.of(path, conf), path, MAX_BYTES)
                .orElseThrow(() -> new ConfigException("prepare.tokenizers." + name + ": there is no file "
                        + section.file() + "; it is the tokenizer.json of a model, copied here before"));
        TokenizerFile file = new TokenizerFile(
                Sha256.hex(bytes),
                section.specialTokens() ? SpecialTokens.ADDED : SpecialTokens.LEFT_OUT,
                JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(bytes));
        try {
            file.tokenizer();
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(section.file(), "is not a tokenizer.json: " + e.getMessage(), e);
        }
        return file;
    }

    /** By its name in the job, the first argument of a function. */
    TokenizerFile find(String function, Argument argument) {
        String name = argument.text(function, "the tokenizer's name");
        TokenizerFile file = files.get(name);
        if (file == null) {
            throw new ConfigException(function + ": unknown tokenizer '" + name + "' under prepare.tokenizers"
                    + Suggestion.hint(name, files.keySet()));
        }
        return file;
    }

    /** SHA-256 of each file, by name. */
    Map<String, String> digests() {
        Map<String, String> digests = new LinkedHashMap<>();
        files.forEach((name, file) -> digests.put(name, file.sha256()));
        return digests;
    }
}
