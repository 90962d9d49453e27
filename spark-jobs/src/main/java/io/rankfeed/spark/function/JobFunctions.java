package io.rankfeed.spark.function;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.JobContext;
import java.util.List;

/** The functions of a job: those that every job has, and those that work with what the job names. */
public final class JobFunctions {
    private final JobTokenizers tokenizers;

    private JobFunctions(JobTokenizers tokenizers) {
        this.tokenizers = tokenizers;
    }

    /**
     * Reads what the job names, and makes the functions known to its session; those of an earlier job there are gone.
     *
     * @throws ConfigException if a file is not there
     * @throws CorruptDataException if a file is damaged
     */
    public static JobFunctions open(JobContext context) {
        JobTokenizers tokenizers = JobTokenizers.read(
                context.spark(), context.hadoop(), context.job().prepare().tokenizers());
        SqlFunctions.register(
                context.spark(),
                List.of(
                        new HashFunction(),
                        new SplitFunction(),
                        new AlpacaFunction(),
                        new TokenizeFunction(tokenizers),
                        new PromptFunction(tokenizers)));
        return new JobFunctions(tokenizers);
    }

    /** Puts what files hold for where they lie, in the job's section as it goes into an identity. */
    public void identify(ObjectNode prepare) {
        tokenizers.digests().forEach((name, sha256) -> prepare.withObject("/tokenizers/" + name)
                .put("sha256", sha256)
                .remove("file"));
    }
}
