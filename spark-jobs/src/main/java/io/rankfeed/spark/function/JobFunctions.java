package io.rankfeed.spark.function;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.job.ImagesSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.image.Decoding;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.engine.SqlFunctions;
import io.rankfeed.spark.run.JobContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The functions of a job: those that every job has, and those that work with what the job names. */
public final class JobFunctions {
    /** The functions that need nothing of the job. */
    static final List<SqlFunction> GENERAL = List.of(
            HashFunction.of(),
            SplitFunction.of(),
            AlpacaFunction.of(),
            PackFunction.of(),
            ConversationFunction.messages(),
            ConversationFunction.imagePaths(),
            ImageFunction.image(Decoding.STRICT),
            ImageFunction.pixels(Decoding.STRICT),
            ImageSizeFunction.of());

    private final JobTokenizers tokenizers;
    private final JobLabels labels;

    private JobFunctions(JobTokenizers tokenizers, JobLabels labels) {
        this.tokenizers = tokenizers;
        this.labels = labels;
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
        JobLabels labels = new JobLabels(context);
        List<SqlFunction> functions = new ArrayList<>(GENERAL);
        context.job()
                .prepare()
                .images()
                .map(ImagesSection::decoding)
                .ifPresent(decoding ->
                        functions.addAll(List.of(ImageFunction.image(decoding), ImageFunction.pixels(decoding))));
        functions.addAll(List.of(
                TokenizeFunction.of(tokenizers),
                PromptFunction.of(tokenizers),
                ChatFunction.of(tokenizers),
                LabelFunction.of(labels)));
        SqlFunctions.register(context.spark(), functions);
        return new JobFunctions(tokenizers, labels);
    }

    /** Returns the files that the artifact keeps in addition to its rows, by path. The job's sources must be open. */
    public Map<String, byte[]> files() {
        return labels.files();
    }

    /** Replaces paths of files by their content, in the job's section as it goes into an identity. */
    public void identify(ObjectNode prepare) {
        tokenizers.files().forEach((name, file) -> {
            ObjectNode section = prepare.withObject("/tokenizers/" + name);
            section.put("sha256", file.sha256()).remove("file");
            if (file.chat() != null) {
                section.put("chat", file.chat().sha256());
            }
        });
    }
}
