"""A server with the interface of Amazon S3, which verifies signatures: moto.

    bucket_server.py FOLDER BUCKET PREFIX

Uploads the files of a folder with boto3, prints a line of JSON with `endpoint`, `id` and `secret`, and exits when its input ends.
"""
import json
import os
import sys

import boto3
import requests
from moto.server import ThreadedMotoServer

os.environ.update(AWS_ACCESS_KEY_ID='setup', AWS_SECRET_ACCESS_KEY='setup', AWS_DEFAULT_REGION='us-east-1')
POLICY = {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': 's3:*', 'Resource': '*'}]}


def main():
    folder, bucket, prefix = sys.argv[1:]
    server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f'http://{host}:{port}'
    s3 = boto3.client('s3', endpoint_url=endpoint)
    s3.create_bucket(Bucket=bucket)
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            s3.upload_file(path, bucket, prefix + os.path.relpath(path, folder))
    iam = boto3.client('iam', endpoint_url=endpoint)
    iam.create_user(UserName='reader')
    iam.put_user_policy(UserName='reader', PolicyName='all', PolicyDocument=json.dumps(POLICY))
    key = iam.create_access_key(UserName='reader')['AccessKey']
    # From here on every request needs a valid signature.
    requests.post(f'{endpoint}/moto-api/reset-auth', data=b'0', timeout=10)
    print(json.dumps({'endpoint': endpoint, 'id': key['AccessKeyId'], 'secret': key['SecretAccessKey']}), flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == '__main__':
    main()
