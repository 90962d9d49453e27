package io.rankfeed.spark.inspect;

import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.Preview;
import io.rankfeed.spark.run.JobBytes;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.Sessions;
import io.rankfeed.spark.sample.ChosenLines;
import io.rankfeed.spark.sample.FeedReport;
import io.rankfeed.spark.sample.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** The order that a job's feeds would have: strata are counted, nothing is written. */
final class JobOrder {
    private JobOrder() {}

    /**
     * Plans a job.
     *
     * @param assignments of {@code --set}
     * @throws ConfigException if the job cannot be planned as it is written
     */
    static Order of(String file, List<String> assignments, Configuration hadoop) {
        SparkConf conf = new SparkConf();
        Job job = JobFile.read(file, JobBytes.read(file, conf, hadoop), assignments);
        if (job.sample().isEmpty()) {
            throw new ConfigException(file + ": has no feed to simulate; write at least one under sample:");
        }
        try {
            SparkSession spark = Sessions.of("rankfeed simulate " + job.dataset(), conf, Sessions.needsOf(job));
            JobContext context = JobContext.of(spark, job, Progress.NONE);
            Preview preview = Prepare.preview(context, new ChosenLines(context));
            ConfigErrors refusals = new ConfigErrors();
            List<FeedReport> reports = preview.table()
                    .map(table -> Sample.preview(context, table, refusals))
                    .orElseGet(() -> Sample.preview(context, preview::rowsFor, refusals));
            refusals.throwIfAny();
            List<Feed> feeds = reports.stream()
                    .map(FeedReport::feed)
                    .sorted(Comparator.comparing(Feed::name))
                    .toList();
            return new Order(job.dataset(), OrderId.NONE, Optional.empty(), feeds);
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            throw SparkFailures.translated(e);
        }
    }
}
